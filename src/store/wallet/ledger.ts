import { ACCOUNT_OF, type LedgerKind } from '../../domain/wallet/ledger.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { type Units, units } from '../../kernel/money.ts'
import { type Reader, sql, type Transaction } from '../database.ts'
import { notifyFollowers } from '../follower/followers.ts'
import { GivenRows, given } from '../given-rows.ts'

export interface LedgerEntry {
  workspaceId: Uuid
  kind: LedgerKind
  /** The wallet's gain, negative for a loss; never zero. */
  amount: Units
  /** The cause, such as `payment pi_123`: booked at most once in its workspace. */
  key: string
  at: Date
  /** The paid UTC day (YYYY-MM-DD). */
  day?: string
  /** The number of paid keywords or mentions. */
  units?: number
  note?: string
}

export interface Booked {
  entryId: Uuid
  /** After all entries of the call. */
  balance: Units
  /** False when the key was booked before, whatever the amount. */
  isNew: boolean
}

export async function book(tx: Transaction, entry: LedgerEntry): Promise<Booked> {
  const [booked] = await bookAll(tx, [entry])
  return booked!
}

/**
 * The only way into the ledger: entries, two postings each, and balances; returns results in the order of entries.
 * Locks workspaces in order of id, so counters and keywords must be locked before. Charges other than the daily run's
 * are noted for the next balance check.
 */
export async function bookAll(tx: Transaction, entries: readonly LedgerEntry[]): Promise<Booked[]> {
  if (entries.length === 0) return []
  const named = entries.map(({ workspaceId, key }) => `${workspaceId} ${key}`)
  if (new Set(named).size < entries.length) throw new Error('two entries under one key cannot be booked at once')
  if (entries.some(({ amount }) => amount === 0)) throw new RangeError('an entry of the ledger has to move something')
  const workspaceIds = [...new Set(entries.map(({ workspaceId }) => workspaceId))]
  const locked = await tx.query(
    sql`select from workspace where id = any(${workspaceIds}::uuid[]) order by id for no key update`,
  )
  if (locked.length < workspaceIds.length) throw new Error('a workspace whose ledger is written is gone')
  // Separate statements, because one that waited for a lock sees an old snapshot.
  const made = await insertNew(tx, entries)
  const rows = await tx.run<{ id: Uuid; workspace_id: Uuid; key: string; balance_units: number }>(
    'read-booked',
    `select e.id, t.workspace_id, t.key, w.balance_units from unnest($1::uuid[], $2::text[]) as t (workspace_id, key)
     join ledger_entry e on e.workspace_id = t.workspace_id and e.key = t.key
       join workspace w on w.id = t.workspace_id`,
    [entries.map(({ workspaceId }) => workspaceId), entries.map(({ key }) => key)],
  )
  await notifyFollowers(
    tx,
    'wallet.changed',
    rows.filter(({ id }) => made.has(id)).map(({ workspace_id, id }) => ({ workspaceId: workspace_id, id })),
  )
  const booked = new Map(rows.map((row) => [`${row.workspace_id} ${row.key}`, row]))
  return named.map((name) => {
    const { id, balance_units } = booked.get(name)!
    return { entryId: id, balance: units(balance_units), isNew: made.has(id) }
  })
}

export async function readBooked(
  reader: Reader,
  workspaceId: Uuid,
  keys: readonly string[],
): Promise<Map<string, Units>> {
  const rows = await reader.query<{ key: string; amount_units: number }>(sql`
    select key, amount_units from ledger_entry where workspace_id = ${workspaceId} and key = any(${keys}::text[])`)
  return new Map(rows.map((row) => [row.key, units(row.amount_units)]))
}

const ENTRIES = new GivenRows<LedgerEntry>({
  workspace_id: given.uuid(({ workspaceId }) => workspaceId),
  id: given.uuid(({ at }) => newUuid(at)),
  kind: given.text(({ kind }) => kind),
  amount: given.bigint(({ amount }) => amount),
  key: given.text(({ key }) => key),
  at: given.instant(({ at }) => at),
  day: given.day(({ day }) => day ?? null),
  units: given.integer((entry) => entry.units ?? null),
  note: given.text(({ note }) => note ?? null),
  account: given.text(({ kind }) => ACCOUNT_OF[kind]),
})

/** Returns the new ids. */
async function insertNew(tx: Transaction, entries: readonly LedgerEntry[]): Promise<Set<Uuid>> {
  const rows = await tx.run<{ id: Uuid }>(
    'book',
    `with fresh as materialized (
       select t.*, w.balance_units + sum(t.amount) over (partition by t.workspace_id order by t.place) as balance
       from ${ENTRIES.placed}
       join workspace w on w.id = t.workspace_id
       where not exists (select from ledger_entry e where e.workspace_id = t.workspace_id and e.key = t.key)),
     made as (
       insert into ledger_entry (workspace_id, id, kind, amount_units, balance_units, key, day, units, note, created_at)
       select workspace_id, id, kind, amount, balance, key, day, units, note, at from fresh order by place
         returning id),
     posted as (
       insert into ledger_posting (workspace_id, entry_id, account, amount_units)
       select workspace_id, id, 'wallet', amount from fresh union all select workspace_id, id, account, -amount
         from fresh),
     moved as (
       update workspace w set balance_units = w.balance_units + s.amount
       from (select workspace_id, sum(amount)::bigint as amount from fresh group by workspace_id) s
         where w.id = s.workspace_id),
     spent as (
       insert into wallet_spent (workspace_id) select distinct workspace_id from fresh
         where amount < 0 and account <> 'revenue')
     select id from made`,
    ENTRIES.values(entries),
  )
  return new Set(rows.map((row) => row.id))
}
