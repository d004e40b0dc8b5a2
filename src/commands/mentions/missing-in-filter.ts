import type { FilterName, MentionFilter } from '../../domain/filter/fields.ts'
import { listOf } from '../../domain/filter/predicate.ts'
import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { toId, type Uuid } from '../../kernel/ids.ts'
import { type Reader, sql } from '../../store/database.ts'

/** Refuses unknown keywords and groups; null when all exist. */
export async function missingInFilter(
  reader: Reader,
  workspaceId: Uuid,
  filter: MentionFilter,
): Promise<Refusal<'not_found'> | null> {
  const keywordIds = [...named(filter, 'keywordIds'), ...named(filter, 'notKeywordIds')]
  const groupIds = [...named(filter, 'groupIds'), ...named(filter, 'notGroupIds')]
  const [missing] = await reader.query<{ keyword: Uuid | null; group: Uuid | null }>(sql`
    select id as keyword, null::uuid as "group" from unnest(${keywordIds}::uuid[]) t (id) where not exists (select
      from keyword k where k.workspace_id = ${workspaceId} and k.id = t.id)
    union all
    select null, id from unnest(${groupIds}::uuid[]) t (id) where not exists (select from keyword_group g
      where g.workspace_id = ${workspaceId} and g.id = t.id)
    limit 1`)
  if (missing === undefined) return null
  return missing.keyword === null
    ? refuse('not_found', `There is no group ${toId('grp', missing.group!)} in this workspace`)
    : refuse('not_found', `There is no keyword ${toId('kw', missing.keyword)} in this workspace`)
}

/** Includes the ids of alternatives. */
function named({ anyOf, ...conditions }: MentionFilter, name: FilterName): string[] {
  return [conditions, ...(anyOf ?? [])].flatMap((group) =>
    group[name] === undefined ? [] : listOf(group[name]).map(String),
  )
}
