import type { MentionFilter } from '../../domain/filter/fields.ts'
import { MENTION_STATUSES } from '../../domain/mention/status.ts'
import { isRefusal, type Refusal } from '../../domain/refusal/refusal.ts'
import { type Statement, sql } from '../../store/database.ts'
import { blockCondition } from '../../store/filter/block-conditions.ts'
import { type ExactSet, exactSetOf } from '../../store/filter/exact-sets.ts'
import { type Accounts, byAccounts } from '../../store/filter/filter-sql.ts'
import { blockOf, countedBlocks } from '../../store/filter/mention-blocks.ts'
import type { QueryContext } from '../reading.ts'
import { asksNothing, type MentionSearch, type ResolvedSearch, readMuted, resolveSearch } from './search.ts'
import { foundCondition, isAsleep, searchCondition } from './search-condition.ts'
import { madeWithin, selectFound, whollyWithin } from './select-newest.ts'

type Counting = Pick<QueryContext, 'db' | 'workspaceId' | 'clock'>

export async function countMentions(
  reading: Counting,
  search: MentionSearch,
): Promise<{ total: number } | Refusal<'not_found' | 'validation_error'>> {
  const resolved = await resolveSearch(reading, search)
  if (isRefusal(resolved)) return resolved
  const [counted] = await reading.db.query<{ total: number }>(await countingOf(reading, resolved))
  return { total: counted!.total }
}

async function countingOf(reading: Counting, search: ResolvedSearch): Promise<Statement<{ total: number }>> {
  const set = asksNothing(search) ? null : setOf(search)
  if (set === null && !asksNothing(search))
    return sql`${selectFound(sql`count(*) as total`, reading.workspaceId, search, reading.clock.now())}`
  const hidden = search.hidden && (await readMuted(reading))
  return set === null ? countEverything(reading, hidden) : countBySets(reading, search, set, hidden)
}

/** Null unless all that a search asks is told by the sets of blocks, or by few mentions apart from them. */
export function setOf({ filters, ...search }: ResolvedSearch): ExactSet | null {
  const { wanted, assigneeId, snoozed, ids, containing, writtenBy, review } = search
  const others = [wanted, assigneeId, ids, containing ?? null, writtenBy ?? null, review ?? null]
  return snoozed || others.some((other) => other !== null) ? null : exactSetOf(filters.map(withoutOpen))
}

const OPEN = MENTION_STATUSES.indexOf('open')

function withoutOpen(filter: MentionFilter): MentionFilter {
  const { status, ...others } = filter
  return status === 'open' ? others : filter
}

/**
 * The sums of the sets of blocks, plus the mentions of the other blocks and of none, less the few in the sets that are
 * hidden or triaged. Counts a million mentions by reading some thousand summaries.
 */
function countBySets(
  { workspaceId, clock }: Counting,
  search: ResolvedSearch,
  { set, told }: ExactSet,
  hidden: Accounts | null,
): Statement<{ total: number }> {
  const at = clock.now()
  const asksOpen = search.filters.some(({ status }) => status === 'open')
  const found = foundCondition(workspaceId, { ...search, filters: search.filters.map(withoutOpen) })
  const apart = asksOpen ? sql`(${isAsleep(at)} or m.status <> ${sql.lit(OPEN)})` : isAsleep(at)
  const muted =
    hidden === null
      ? sql``
      : sql`union all select m.id from mention m where ${found} and ${byAccounts(workspaceId, hidden)}
          and (${apart}) is not true`
  const mayHold = blockCondition(search.filters, search, search.facts) ?? sql`true`
  const { blocks, rest } = countedBlocks(
    workspaceId,
    { set, told: [...told, ...whollyWithin(search)] },
    sql`${mayHold} and ${madeWithin(search)}`,
  )
  return sql`
    with block as materialized (${blocks})
    select (select coalesce(sum(members), 0)::bigint from block)
      + (select count(*) from (select after_id, last_id from block where members is null union all ${rest}) s
          cross join lateral (select from mention m where ${searchCondition(workspaceId, search, at)}
            and m.id > s.after_id and m.id <= s.last_id offset 0) m)
      - (select count(*) from (select m.id from mention m where ${found} and ${apart} ${muted}) m
          join block on block.last_id = ${blockOf(sql`${workspaceId}::uuid`, sql`m.id`)}
            and block.members is not null) as total`
}

/** The sum of the keyword counters less expired and the few hidden mentions, instead of counting a million rows. */
function countEverything({ workspaceId, clock }: Counting, hidden: Accounts | null): Statement<{ total: number }> {
  const asleep = isAsleep(clock.now())
  const muted =
    hidden === null
      ? sql`0`
      : sql`(select count(*) from mention m where m.workspace_id = ${workspaceId} and ${byAccounts(workspaceId, hidden)}
          and (${asleep}) is not true)`
  return sql`
    select (select coalesce(sum(c.mentions - coalesce(e.mentions, 0)), 0)::bigint from keyword_counter c
        left join keyword_expired e using (workspace_id, keyword_id) where c.workspace_id = ${workspaceId})
      - (select count(*) from mention m where m.workspace_id = ${workspaceId} and ${asleep}) - ${muted} as total`
}
