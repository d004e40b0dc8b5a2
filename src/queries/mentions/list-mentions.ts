import type { MentionFilter } from '../../domain/filter/fields.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { isRefusal, type Refusal, refuse } from '../../kernel/refusal.ts'
import { tokens } from '../../matching/index.ts'
import { type Statement, sql } from '../../store/database.ts'
import { facetHash } from '../../store/facets.ts'
import { filterCondition } from '../../store/filter-sql.ts'
import { pageOf, readCursorText } from '../cursor.ts'
import type { Reading } from '../reading.ts'
import { MENTION_COLUMNS, type Mention, mentionFromRow, selectMentions } from './mention-shape.ts'

/** What a list of mentions can be asked for. */
export interface MentionSearch {
  filter: MentionFilter
  /** Words of text or author, all of which must be there; a text without any word finds nothing. */
  q: string | null
  /** Publication time: from `since` on, and before `until`. */
  since: Date | null
  until: Date | null
}

export interface MentionPage {
  data: Mention[]
  nextCursor: string | null
}

const SORT = 'newest'

/** One page of mentions, newest match first. */
export async function listMentions(
  reading: Reading,
  search: MentionSearch,
  page: { limit: number; cursor: string | null },
): Promise<MentionPage | Refusal<'invalid_cursor' | 'not_found'>> {
  const after = page.cursor === null ? null : await placeOf(reading, page.cursor)
  if (isRefusal(after)) return after
  const rows = await reading.db.query(selectMentions(sql`${selection(reading.workspaceId, search, after)} order by m.id desc limit ${page.limit + 1}`))
  const { shown, nextCursor } = pageOf(rows, page.limit, SORT)
  return { data: shown.map((row) => mentionFromRow(row, reading.clock.now())), nextCursor }
}

/** The rows of a workspace's mentions that a search finds, as a statement to be ordered and limited. */
export function selection(workspaceId: Uuid, { filter, q, since, until }: MentionSearch, after: Uuid | null): Statement<unknown> {
  const conditions = [sql`m.workspace_id = ${workspaceId}`, filterCondition(workspaceId, filter)]
  if (after !== null) conditions.push(sql`m.id < ${after}`)
  if (since) conditions.push(sql`m.published_at >= ${since}`)
  if (until) conditions.push(sql`m.published_at < ${until}`)
  if (q !== null) conditions.push(wordsCondition(workspaceId, tokens(q)))
  return sql`select ${MENTION_COLUMNS} from mention m join keyword k on k.workspace_id = m.workspace_id and k.id = m.keyword_id where ${sql.join(conditions, sql` and `)}`
}

function wordsCondition(workspaceId: Uuid, words: readonly string[]): Statement<unknown> {
  return words.length === 0 ? sql`false` : sql`m.facets @> ${words.map((word) => facetHash(workspaceId, 'word', word))}::bigint[]`
}

async function placeOf(reading: Reading, cursor: string): Promise<Uuid | Refusal<'invalid_cursor' | 'not_found'>> {
  const id = readCursorText(SORT, cursor)
  if (id === null) return refuse('invalid_cursor', 'The cursor cannot be read or belongs to another sort')
  const rows = await reading.db.query(sql`select id from mention where workspace_id = ${reading.workspaceId} and id = ${id}`)
  return rows.length > 0 ? id : refuse('not_found', 'The mention at this cursor is gone; start again without a cursor')
}
