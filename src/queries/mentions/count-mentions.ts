import { isRefusal, type Refusal } from '../../domain/refusal/refusal.ts'
import { type Statement, sql } from '../../store/database.ts'
import { type Accounts, byAccounts } from '../../store/filter/filter-sql.ts'
import type { QueryContext } from '../reading.ts'
import { asksNothing, type MentionSearch, readMuted, resolveSearch } from './search.ts'
import { selectFound } from './select-newest.ts'

export async function countMentions(
  reading: QueryContext,
  search: MentionSearch,
): Promise<{ total: number } | Refusal<'not_found' | 'validation_error'>> {
  const resolved = await resolveSearch(reading, search)
  if (isRefusal(resolved)) return resolved
  const counting = asksNothing(resolved)
    ? countEverything(reading, resolved.hidden && (await readMuted(reading)))
    : selectFound(sql`count(*) as total`, reading.workspaceId, resolved, reading.clock.now())
  const [counted] = await reading.db.query<{ total: number }>(sql`${counting}`)
  return { total: counted!.total }
}

/** The sum of the keyword counters less the few hidden mentions, instead of counting a million rows. */
function countEverything({ workspaceId, clock }: QueryContext, hidden: Accounts | null): Statement<unknown> {
  const snoozed = sql`m.snoozed_until > ${clock.now()}`
  const muted =
    hidden === null
      ? sql`0`
      : sql`(select count(*) from mention m where m.workspace_id = ${workspaceId} and ${byAccounts(workspaceId, hidden)}
          and (${snoozed}) is not true)`
  return sql`
    select (select coalesce(sum(mentions), 0)::bigint from keyword_counter where workspace_id = ${workspaceId})
      - (select count(*) from mention m where m.workspace_id = ${workspaceId} and ${snoozed}) - ${muted} as total`
}
