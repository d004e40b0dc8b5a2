import { ACCOUNT_OF, type LedgerKind } from '../../domain/wallet/ledger.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { type Units, units } from '../../kernel/money.ts'
import { type Reader, sql, type Transaction } from '../database.ts'
import { GivenRows, given } from '../given-rows.ts'

/** What is to be written into the ledger. */
export interface LedgerEntry {
  workspaceId: Uuid
  kind: LedgerKind
  /** What the wallet gains; negative for what it loses. Never nought. */
  amount: Units
  /** Names the cause, such as `payment pi_123`: what has been booked under it in this workspace is not booked again. */
  key: string
  at: Date
  /** The day (UTC, YYYY-MM-DD) that is paid for. */
  day?: string
  /** How many keywords or mentions are paid for. */
  units?: number
  note?: string
}

/** What became of an entry. */
export interface Booked {
  /** The entry under this key, whoever booked it. */
  entryId: Uuid
  /** The balance of the workspace, everything included that was booked with it. */
  balance: Units
  /** False when there was an entry under this key already: then nothing was booked, whatever its amount. */
  isNew: boolean
}

/** Books one entry, once. See `bookAll`. */
export async function book(tx: Transaction, entry: LedgerEntry): Promise<Booked> {
  const [booked] = await bookAll(tx, [entry])
  return booked!
}

/**
 * The only way into the ledger: writes entries, their two postings each and the balances of their workspaces down, and
 * answers in the order of the entries what became of each. Entries of one workspace follow each other as they are
 * given. Locks the workspaces, in the order of their ids, so counters and keywords have to be locked before. What takes
 * from a wallet otherwise than by the daily run is noted for the next look at it.
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
  // In statements of their own, because one that waited for a lock sees everything else as it was before.
  const made = await insertNew(tx, entries)
  const rows = await tx.run<{ id: Uuid; workspace_id: Uuid; key: string; balance_units: number }>(
    'read-booked',
    `select e.id, t.workspace_id, t.key, w.balance_units from unnest($1::uuid[], $2::text[]) as t (workspace_id, key)
     join ledger_entry e on e.workspace_id = t.workspace_id and e.key = t.key
       join workspace w on w.id = t.workspace_id`,
    [entries.map(({ workspaceId }) => workspaceId), entries.map(({ key }) => key)],
  )
  const booked = new Map(rows.map((row) => [`${row.workspace_id} ${row.key}`, row]))
  return named.map((name) => {
    const { id, balance_units } = booked.get(name)!
    return { entryId: id, balance: units(balance_units), isNew: made.has(id) }
  })
}

/** What was booked under these keys, by key; what was not is left out. */
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

/** Answers the ids of those that were really made. */
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
