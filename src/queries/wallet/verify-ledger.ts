// Long because every ledger rule is one statement here, to be read beside the others.
import { ACCOUNT_OF, LEDGER_KINDS, type LedgerKind } from '../../domain/wallet/ledger.ts'
import { KEYWORD_DAY, MENTION } from '../../domain/wallet/prices.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Reader } from '../../store/database.ts'
import { BILLABLE } from '../../store/mention/billing-sql.ts'

/** A broken rule. */
export interface Difference {
  check: LedgerCheck
  workspace: { id: Uuid; name: string }
  /** YYYY-MM-DD; null when no day applies. */
  day: string | null
  keyword: { id: Uuid; term: string | null } | null
  entryId: Uuid | null
  /** Thirtieths of a cent, or a count. */
  expected: number
  found: number
}

export interface Verified {
  workspaces: number
  entries: number
  /** In the order of workspace ids. */
  differences: Difference[]
}

export interface VerifyOptions {
  /** False where mentions cost nothing. */
  metered: boolean
  /** Only this workspace; else all but those that are still being imported. */
  workspaceId?: Uuid
}

/** Workspaces per statement, so that each ends in time. */
const PORTION = 100

/**
 * Checks the money of every workspace: balances against the ledger, the ledger against postings and charges, charges
 * against stored mentions. Each rule is one snapshot, so the service may run. Finds every charge that is too high; a
 * missing charge only while its post is stored.
 */
export async function verifyLedger(reader: Reader, { metered, workspaceId }: VerifyOptions): Promise<Verified> {
  const verified: Verified = { workspaces: 0, entries: 0, differences: [] }
  if (workspaceId !== undefined) {
    await verifyPortion(reader, [workspaceId], metered, verified)
    return verified
  }
  for (let after: Uuid | null = null; ; ) {
    const ids: Uuid[] = await portionAfter(reader, after)
    if (ids.length > 0) await verifyPortion(reader, ids, metered, verified)
    if (ids.length < PORTION) return verified
    after = ids.at(-1)!
  }
}

async function portionAfter(reader: Reader, after: Uuid | null): Promise<Uuid[]> {
  const rows = await reader.run<{ id: Uuid }>(
    'verify-portion',
    'select id from workspace where ($1::uuid is null or id > $1) and not importing order by id limit $2',
    [after, PORTION],
  )
  return rows.map(({ id }) => id)
}

interface DifferenceRow {
  workspace_id: Uuid
  name: string
  day: string | null
  keyword_id: Uuid | null
  term: string | null
  entry_id: Uuid | null
  expected: number
  found: number
}

async function verifyPortion(
  reader: Reader,
  ids: readonly Uuid[],
  metered: boolean,
  verified: Verified,
): Promise<void> {
  const found: Difference[] = []
  for (const [check, text] of Object.entries(CHECKS)) {
    if (check === 'mention-undercharged' && !metered) continue
    const rows = await reader.run<DifferenceRow>(`verify-${check}`, named(text), [ids])
    found.push(...rows.map((row) => differenceOf(check as LedgerCheck, row)))
  }
  const [counted] = await reader.run<{ entries: number }>(
    'verify-entries',
    'select count(*) as entries from ledger_entry where workspace_id = any($1::uuid[])',
    [ids],
  )
  verified.workspaces += ids.length
  verified.entries += counted!.entries
  verified.differences.push(
    ...found.sort((a, b) => Number(a.workspace.id > b.workspace.id) - Number(a.workspace.id < b.workspace.id)),
  )
}

/** Adds names, and makes amounts numbers. */
function named(check: string): string {
  return `select f.workspace_id, w.name, f.day::date as day, f.keyword_id::uuid as keyword_id, coalesce(k.term,
      r.term) as term, f.entry_id::uuid as entry_id,
      f.expected::bigint as expected, f.found::bigint as found
    from (${check}) f join workspace w on w.id = f.workspace_id
    left join keyword k on k.workspace_id = f.workspace_id and k.id = f.keyword_id::uuid
    left join removed_keyword r on r.workspace_id = f.workspace_id and r.id = f.keyword_id::uuid
    order by f.workspace_id, f.day, f.keyword_id, f.entry_id`
}

function differenceOf(check: LedgerCheck, row: DifferenceRow): Difference {
  return {
    check,
    workspace: { id: row.workspace_id, name: row.name },
    day: row.day,
    keyword: row.keyword_id === null ? null : { id: row.keyword_id, term: row.term },
    entryId: row.entry_id,
    expected: row.expected,
    found: row.found,
  }
}

function kinds(condition: (kind: LedgerKind) => boolean): string {
  return LEDGER_KINDS.filter(condition)
    .map((kind) => `'${kind}'`)
    .join(', ')
}

const ACCOUNT = `case kind ${LEDGER_KINDS.map((kind) => `when '${kind}' then '${ACCOUNT_OF[kind]}'`).join(' ')} end`
const DEBITS = kinds((kind) => kind.startsWith('debit'))
const CREDITS = kinds((kind) => ['signup_credit', 'topup', 'auto_recharge', 'grant'].includes(kind))
const OWN = 'workspace_id = any($1::uuid[])'

/** Debits by day against the expected amounts. */
function byDay(kind: LedgerKind, entry: string, expected: string): string {
  return `select workspace_id, day, null as keyword_id, null as entry_id, sum(expected) as expected, sum(found) as found
      from (
      ${expected}
      union all
      select workspace_id, day, 0, ${entry} from ledger_entry where ${OWN} and kind = '${kind}') both_sides
    group by workspace_id, day having sum(expected) <> sum(found)`
}

/** Each rule returns where it is broken. Debits are negative. */
const CHECKS = {
  /** A balance is the sum of its ledger. */
  balance: `
    select w.id as workspace_id, null as day, null as keyword_id, null as entry_id, coalesce(e.sum, 0) as expected,
      w.balance_units as found
    from workspace w left join (select workspace_id, sum(amount_units) as sum from ledger_entry where ${OWN}
      group by workspace_id) e on e.workspace_id = w.id
    where w.id = any($1::uuid[]) and w.balance_units <> coalesce(e.sum, 0)`,

  /** An entry moves its amount into the wallet and out of its kind's account. */
  postings: `
    select workspace_id, day, null as keyword_id, entry_id, sum(expected) as expected, sum(found) as found from (
      select workspace_id, id as entry_id, day, 'wallet' as account, amount_units as expected, 0 as found
        from ledger_entry where ${OWN}
      union all
      select workspace_id, id, day, ${ACCOUNT}, -amount_units, 0 from ledger_entry where ${OWN}
      union all
      select p.workspace_id, p.entry_id, e.day, p.account, 0, p.amount_units from ledger_posting p
      left join ledger_entry e on e.workspace_id = p.workspace_id and e.id = p.entry_id where p.${OWN}) both_sides
    group by workspace_id, entry_id, day, account having sum(expected) <> sum(found)`,

  /**
   * Noted balances form a chain from zero to the workspace's balance. Checked without the order, because ids of several
   * machines may not be ordered.
   */
  chain: `
    with step as (select workspace_id, id, day, balance_units - amount_units as begins, balance_units as ends
      from ledger_entry where ${OWN}),
    place as (
      select workspace_id, at, sum(arrivals) as arrivals, sum(departures) as departures from (
        select workspace_id, ends as at, 1 as arrivals, 0 as departures from step
        union all select workspace_id, begins, 0, 1 from step
        union all select id, 0, 1, 0 from workspace where id = any($1::uuid[])
        union all select id, balance_units, 0, 1 from workspace where id = any($1::uuid[])) moves
      group by workspace_id, at having sum(arrivals) <> sum(departures))
    select s.workspace_id, s.day, null as keyword_id, s.id as entry_id, p.departures as expected, p.arrivals as found
    from place p join step s on s.workspace_id = p.workspace_id and ((p.arrivals > p.departures and s.ends = p.at)
      or (p.departures > p.arrivals and s.begins = p.at))`,

  /** Credits are positive, debits negative. */
  sign: `
    select workspace_id, day, null as keyword_id, id as entry_id, -amount_units as expected, amount_units as found
      from ledger_entry
    where ${OWN} and (amount_units = 0 or (kind in (${CREDITS}) and amount_units < 0) or (kind in (${DEBITS})
      and amount_units > 0))`,

  /** A day's keyword debits equal the charges of its keywords. */
  'keyword-days': byDay(
    'debit_keyword_days',
    'amount_units',
    `select workspace_id, day, -units as expected, 0 as found from keyword_day where ${OWN}`,
  ),

  /** A day's debited number equals that of its charged keywords. */
  'keyword-day-count': byDay(
    'debit_keyword_days',
    'coalesce(units, 0)',
    `select workspace_id, day, 1 as expected, 0 as found from keyword_day where ${OWN}`,
  ),

  /** A keyword day costs the list price. */
  'keyword-day-price': `
    select workspace_id, day, keyword_id, null as entry_id, ${KEYWORD_DAY} as expected, units as found from keyword_day
      where ${OWN} and units <> ${KEYWORD_DAY}`,

  /** Only keywords that existed on the day are charged. */
  'keyword-day-owner': `
    select d.workspace_id, d.day, d.keyword_id, null as entry_id, 0 as expected, d.units as found from keyword_day d
    left join keyword k on k.workspace_id = d.workspace_id and k.id = d.keyword_id
    left join removed_keyword r on r.workspace_id = d.workspace_id and r.id = d.keyword_id
    where d.${OWN} and ((k.id is null and r.id is null) or k.created_at::date > d.day or r.removed_at::date < d.day)`,

  /** Only the daily run charges a day, and it has settled the days before. */
  'keyword-day-settled': `
    select d.workspace_id, d.day, null as keyword_id, null as entry_id, 0 as expected, sum(d.units) as found
      from keyword_day d join workspace w on w.id = d.workspace_id
    where d.${OWN} and d.day > w.settled_through + 1 group by d.workspace_id, d.day`,

  /** Mentions of settled days are debited as charged, of other days not. */
  mentions: byDay(
    'debit_mentions',
    'amount_units',
    `select u.workspace_id, u.day, case when u.day <= w.settled_through then -u.mention_units else 0 end as expected,
        0 as found
      from usage_day u join workspace w on w.id = u.workspace_id where u.${OWN}`,
  ),

  /** The debited number equals the charged one; mentions of unmetered hours are not in it. */
  'mention-count': byDay(
    'debit_mentions',
    'coalesce(units, 0)',
    `select u.workspace_id, u.day, case when u.day <= w.settled_through then sum(u.mention_units) / ${MENTION}
        else 0 end as expected, 0 as found
      from usage_day u join workspace w on w.id = u.workspace_id where u.${OWN}
        group by u.workspace_id, u.day, w.settled_through`,
  ),

  /** A billed mention costs the list price. */
  'mention-overcharged': `
    select workspace_id, day, keyword_id, null as entry_id, ${MENTION} * sum(billable) as expected,
      sum(mention_units) as found from usage_day where ${OWN}
    group by workspace_id, day, keyword_id having bool_or(mention_units > ${MENTION} * billable or mention_units < 0
      or mention_units % ${MENTION} <> 0)`,

  /** If any mention of a day is charged, all are. Days without a charge were unmetered. */
  'mention-undercharged': `
    select workspace_id, day, keyword_id, null as entry_id, ${MENTION} * sum(billable) as expected,
      sum(mention_units) as found
    from (select *, sum(mention_units) over (partition by workspace_id, day) as charged from usage_day where ${OWN}) u
    where charged > 0 group by workspace_id, day, keyword_id having sum(mention_units) < ${MENTION} * sum(billable)`,

  /** Only scored mentions are billed. */
  'billed-unscored': `
    select workspace_id, day, keyword_id, null as entry_id, sum(scored) as expected, sum(billable) as found
      from usage_day where ${OWN}
    group by workspace_id, day, keyword_id having bool_or(billable > scored or billable < 0)`,

  /** A match is billed at most once, and not while it waits, has failed or is free. */
  'billed-twice': `
    select u.workspace_id, null as day, u.keyword_id, null as entry_id, u.matched - coalesce(m.unbilled, 0) as expected,
      u.billable as found
    from (select workspace_id, keyword_id, sum(matched) as matched, sum(billable) as billable from usage_day
      where ${OWN} group by workspace_id, keyword_id) u
    left join (select workspace_id, keyword_id, count(*) as unbilled from mention where ${OWN}
      and not ${BILLABLE} group by workspace_id, keyword_id) m
      using (workspace_id, keyword_id)
    where u.billable > u.matched - coalesce(m.unbilled, 0)`,

  /**
   * A stored score was billed on its day or, if that day was settled, later. So from each day on at least as many are
   * billed as scored; reports the last day that breaks this.
   */
  'not-billed': `
    select distinct on (workspace_id, keyword_id) workspace_id, day, keyword_id, null as entry_id, stored as expected,
      billed as found from (
      select workspace_id, keyword_id, day, sum(sum(stored)) over later as stored, sum(sum(billed)) over later as billed
        from (
        select workspace_id, keyword_id, (scored_at at time zone 'UTC')::date as day, 1 as stored, 0 as billed
          from mention where ${OWN} and ${BILLABLE}
        union all
        select workspace_id, keyword_id, day, 0, billable from usage_day where ${OWN}) both_sides
      group by workspace_id, keyword_id, day
      window later as (partition by workspace_id, keyword_id order by day desc)) sums
    where stored > billed order by workspace_id, keyword_id, day desc`,
} as const satisfies Record<string, string>

export type LedgerCheck = keyof typeof CHECKS
export const LEDGER_CHECKS = Object.keys(CHECKS) as LedgerCheck[]
