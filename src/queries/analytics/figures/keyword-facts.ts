import type { FilterGroup, MentionFilter } from '../../../domain/filter/fields.ts'
import { listOf } from '../../../domain/filter/predicate.ts'
import type { KeywordKind } from '../../../domain/keyword/keyword.ts'
import type { Uuid } from '../../../kernel/ids.ts'
import { sql } from '../../../store/database.ts'
import type { QueryContext } from '../../reading.ts'

export interface KeywordFacts {
  id: Uuid
  groupId: Uuid
  kind: KeywordKind
  term: string
}

/** The keywords of a workspace by the number that figures have for them; null where two share one. */
export async function readKeywordFacts({
  db,
  workspaceId,
}: Pick<QueryContext, 'db' | 'workspaceId'>): Promise<Map<number, KeywordFacts> | null> {
  const rows = await db.query<KeywordFacts>(
    sql`select id, group_id as "groupId", kind, term from keyword where workspace_id = ${workspaceId}`,
  )
  const facts = new Map(rows.map((row) => [Number.parseInt(row.id.slice(-8), 16) | 0, row]))
  return facts.size === rows.length ? facts : null
}

type ByKeyword = Pick<FilterGroup, 'keywordIds' | 'notKeywordIds' | 'groupIds' | 'notGroupIds' | 'keywordKinds'>

/** What a filter asks of the keyword, and everything else. */
export function keywordPart({
  keywordIds,
  notKeywordIds,
  groupIds,
  notGroupIds,
  keywordKinds,
  ...rest
}: MentionFilter): { ofKeyword: ByKeyword; rest: MentionFilter } {
  const asked = { keywordIds, notKeywordIds, groupIds, notGroupIds, keywordKinds }
  const named = Object.entries(asked).filter(([, value]) => value !== undefined)
  return { ofKeyword: Object.fromEntries(named), rest }
}

export function isWanted({ id, groupId, kind }: KeywordFacts, asked: ByKeyword): boolean {
  const among = (value: string, list: ByKeyword[keyof ByKeyword]) => list === undefined || listOf(list).includes(value)
  const without = (value: string, list: ByKeyword[keyof ByKeyword]) =>
    list === undefined || !listOf(list).includes(value)
  return (
    among(id, asked.keywordIds) &&
    without(id, asked.notKeywordIds) &&
    among(groupId, asked.groupIds) &&
    without(groupId, asked.notGroupIds) &&
    among(kind, asked.keywordKinds)
  )
}
