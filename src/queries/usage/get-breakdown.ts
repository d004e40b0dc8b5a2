import { type Platform, platformFromNumber, platformNumber } from '../../domain/platform/platforms.ts'
import { isRefusal, type Refusal } from '../../domain/refusal/refusal.ts'
import { DAY_MS, plus } from '../../kernel/clock.ts'
import { firstUuidAt, type Id, toId, type Uuid } from '../../kernel/ids.ts'
import { toCents, units } from '../../kernel/money.ts'
import { type Statement, sql } from '../../store/database.ts'
import type { QueryContext } from '../reading.ts'
import { daysOf, type UsageWindow, type UsageWindowInput, windowFrom } from './window.ts'

export const BREAKDOWNS = ['day', 'platform', 'keyword', 'group'] as const
export type BreakdownBy = (typeof BREAKDOWNS)[number]

export interface BreakdownSearch extends UsageWindowInput {
  by: BreakdownBy
  keywordIds: readonly Uuid[] | null
  groupIds: readonly Uuid[] | null
  /** Excludes keyword days, which belong to no platform. */
  platforms: readonly Platform[] | null
  limit: number
  offset: number
}

/** Costs in whole cents, each rounded once. */
interface Amounts {
  keywordCents: number
  matchedMentions: number
  billableMentions: number
  /** Matched in the window, unscored. */
  unclassifiedMentions: number
  mentionCents: number
  totalCents: number
}

export interface UsageBreakdownRow extends Amounts {
  key: string
  label: string
  keyword: { id: Id<'kw'>; term: string; removed: boolean } | null
  group: { id: Id<'grp'>; name: string; removed: boolean } | null
  /** Null by platform. */
  keywordDays: number | null
}

export interface UsageBreakdown {
  window: UsageWindow
  by: BreakdownBy
  /** Whether the result covers only some keywords or platforms. */
  filtered: boolean
  currency: 'USD'
  totals: Amounts & {
    keywordDays: number
    /** Ledger debits for days of the window, of the whole workspace; unsettled mentions are missing. */
    ledgerDebitCents: number
  }
  data: UsageBreakdownRow[]
  total: number
}

/** The row of keyword days in a breakdown by platform. */
export const KEYWORD_DAYS_KEY = 'keyword_days'

/**
 * Usage by day, platform, keyword or group. Totals sum the exact figures of all rows and pages, so rounded rows may
 * differ by some cents.
 */
export async function getUsageBreakdown(
  reading: QueryContext,
  search: BreakdownSearch,
): Promise<UsageBreakdown | Refusal<'validation_error'>> {
  const window = windowFrom(search, reading.clock.now())
  if (isRefusal(window)) return window
  // Read before the usage: a debit in between is then missing like any unsettled one, never in excess.
  const ledgerDebitCents = await readDebits(reading, window)
  const sums = await readSums(reading, search, window)
  const rows = search.by === 'day' ? everyDay(sums, window) : mostExpensiveFirst(sums)
  return {
    window,
    by: search.by,
    filtered: search.keywordIds !== null || search.groupIds !== null || search.platforms !== null,
    currency: 'USD',
    totals: { keywordDays: total(rows, 'keyword_days'), ...amountsOf(totalOf(rows)), ledgerDebitCents },
    data: rows.slice(search.offset, search.offset + search.limit).map((row) => rowToApi(row, search.by)),
    total: rows.length,
  }
}

const COUNTS = ['keyword_days', 'keyword_units', 'matched', 'billable', 'unclassified', 'mention_units'] as const
type Counts = Record<(typeof COUNTS)[number], number>

interface Sums extends Counts {
  day: string | null
  platform: number | null
  keyword_id: Uuid | null
  term: string | null
  removed: boolean | null
  group_id: Uuid | null
  group_name: string | null
  group_removed: boolean | null
}

const NOTHING: Sums = {
  ...(Object.fromEntries(COUNTS.map((name) => [name, 0])) as Counts),
  day: null,
  platform: null,
  keyword_id: null,
  term: null,
  removed: null,
  group_id: null,
  group_name: null,
  group_removed: null,
}

const DIMENSIONS: Readonly<Record<BreakdownBy, Statement<unknown>>> = {
  day: sql`f.day`,
  platform: sql`f.platform`,
  keyword: sql`k.keyword_id, k.term, k.removed, k.group_id, k.group_name, k.group_removed`,
  group: sql`k.group_id, k.group_name, k.group_removed`,
}

async function readSums(
  { db, workspaceId }: QueryContext,
  search: BreakdownSearch,
  window: UsageWindow,
): Promise<Sums[]> {
  const conditions = [sql`true`]
  if (search.keywordIds) conditions.push(sql`k.keyword_id = any(${search.keywordIds}::uuid[])`)
  if (search.groupIds) conditions.push(sql`k.group_id = any(${search.groupIds}::uuid[])`)
  if (search.platforms) conditions.push(sql`f.platform = any(${search.platforms.map(platformNumber)}::smallint[])`)
  const dimensions = DIMENSIONS[search.by]
  const rows = await db.query<Partial<Sums>>(sql`
    select ${dimensions}, ${sql.join(COUNTS.map((name) => sql`sum(f.${sql.ref(name)})::bigint as ${sql.ref(name)}`))}
    from (${usageOf(workspaceId, window)}) f join (${keywordsOf(workspaceId)}) k on k.keyword_id = f.keyword_id
    where ${sql.join(conditions, sql` and `)} group by ${dimensions}`)
  return rows.map((row) => ({ ...NOTHING, ...row }))
}

/** Unscored mentions are found by match time, which is in their id. */
function usageOf(workspaceId: Uuid, { from, to }: Pick<UsageWindow, 'from' | 'to'>): Statement<unknown> {
  const { start, end } = instantsOf({ from, to })
  return sql`
    select day, keyword_id, platform, 0 as keyword_days, 0 as keyword_units, matched, billable, 0 as unclassified,
      mention_units
    from usage_day where workspace_id = ${workspaceId} and day between ${from}::date and ${to}::date
    union all
    select day, keyword_id, null, 1, units, 0, 0, 0, 0 from keyword_day where workspace_id = ${workspaceId}
      and day between ${from}::date and ${to}::date
    union all
    select (m.created_at at time zone 'UTC')::date, m.keyword_id, m.platform, 0, 0, 0, 0, 1, 0
    from score_queue q join mention m on m.workspace_id = q.workspace_id and m.id = q.mention_id
    where q.workspace_id = ${workspaceId} and q.mention_id >= ${firstUuidAt(start)}
      and q.mention_id < ${firstUuidAt(end)}
      and m.created_at >= ${start} and m.created_at < ${end} and m.scored_at is null`
}

/** Present and removed keywords with their last names and groups; a removed group has its last known name. */
function keywordsOf(workspaceId: Uuid): Statement<unknown> {
  return sql`
    select k.id as keyword_id, k.term, false as removed, g.id as group_id, g.name as group_name, false as group_removed
    from keyword k join keyword_group g on g.workspace_id = k.workspace_id and g.id = k.group_id
      where k.workspace_id = ${workspaceId}
    union all
    select r.id, r.term, true, r.group_id, coalesce(g.name, first_value(r.group_name) over (partition by r.group_id
      order by r.removed_at desc, r.id desc)), g.id is null
    from removed_keyword r left join keyword_group g on g.workspace_id = r.workspace_id and g.id = r.group_id
      where r.workspace_id = ${workspaceId}`
}

/** By the day of usage, not of booking. */
async function readDebits({ db, workspaceId }: QueryContext, { from, to }: UsageWindow): Promise<number> {
  const [row] = await db.query<{ debited: number }>(sql`
    select coalesce(-sum(amount_units), 0)::bigint as debited from ledger_entry
    where workspace_id = ${workspaceId} and kind in ('debit_keyword_days', 'debit_mentions')
      and day between ${from}::date and ${to}::date`)
  return toCents(units(row!.debited))
}

/** `start` is included, `end` is not. */
function instantsOf({ from, to }: Pick<UsageWindow, 'from' | 'to'>): { start: Date; end: Date } {
  return { start: new Date(`${from}T00:00:00Z`), end: plus(new Date(`${to}T00:00:00Z`), DAY_MS) }
}

function everyDay(sums: readonly Sums[], window: UsageWindow): Sums[] {
  const byDay = new Map(sums.map((row) => [row.day, row]))
  return daysOf(window).map((day) => byDay.get(day) ?? { ...NOTHING, day })
}

function mostExpensiveFirst(sums: readonly Sums[]): Sums[] {
  const identity = (row: Sums) => `${row.platform} ${row.keyword_id} ${row.group_id} ${row.group_name}`
  return [...sums].sort(
    (a, b) => unitsOf(b) - unitsOf(a) || b.matched - a.matched || (identity(a) < identity(b) ? -1 : 1),
  )
}

function unitsOf(row: Counts): number {
  return row.keyword_units + row.mention_units
}

function total(rows: readonly Counts[], name: keyof Counts): number {
  return rows.reduce((sum, row) => sum + row[name], 0)
}

function totalOf(rows: readonly Counts[]): Counts {
  return Object.fromEntries(COUNTS.map((name) => [name, total(rows, name)])) as Counts
}

function amountsOf(counts: Counts): Amounts {
  return {
    keywordCents: toCents(units(counts.keyword_units)),
    matchedMentions: counts.matched,
    billableMentions: counts.billable,
    unclassifiedMentions: counts.unclassified,
    mentionCents: toCents(units(counts.mention_units)),
    totalCents: toCents(units(unitsOf(counts))),
  }
}

function rowToApi(row: Sums, by: BreakdownBy): UsageBreakdownRow {
  const keyword =
    row.keyword_id === null ? null : { id: toId('kw', row.keyword_id), term: row.term!, removed: row.removed! }
  const group =
    row.group_id === null ? null : { id: toId('grp', row.group_id), name: row.group_name!, removed: row.group_removed! }
  return {
    ...nameOf(row, by),
    keyword,
    group,
    keywordDays: by === 'platform' ? null : row.keyword_days,
    ...amountsOf(row),
  }
}

function nameOf(row: Sums, by: BreakdownBy): { key: string; label: string } {
  switch (by) {
    case 'day':
      return { key: row.day!, label: row.day! }
    case 'platform': {
      if (row.platform === null) return { key: KEYWORD_DAYS_KEY, label: 'Keyword days' }
      const platform = platformFromNumber(row.platform)
      return { key: platform, label: platform }
    }
    case 'keyword':
      return { key: toId('kw', row.keyword_id!), label: row.term! }
    case 'group':
      return { key: toId('grp', row.group_id!), label: row.group_name! }
  }
}
