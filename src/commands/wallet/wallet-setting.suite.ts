import { accepted, type TestWorkspace, type World } from '../../../test/world.ts'
import { DAY_MS, dayStart, MINUTE_MS, plus } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { units } from '../../kernel/money.ts'
import { type Database, type Statement, sql } from '../../store/database.ts'
import { book } from '../../store/wallet/ledger.ts'
import { createChannel } from '../channels/create-channel.ts'

const EVENTS = [
  'keyword.capped',
  'keyword.paused_for_balance',
  'keyword.resumed',
  'wallet.low',
  'wallet.paused',
  'wallet.resumed',
] as const

let made = 0

export async function hearing(world: World): Promise<TestWorkspace> {
  made += 1
  const workspace = await world.workspace(`Workspace ${made}`)
  accepted(await createChannel(workspace, { kind: 'webhook', url: 'https://receiver.example/', events: [...EVENTS] }))
  return workspace
}

export interface Told {
  event: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the data freely; its shape is what it checks
  data: any
}

export function toldTo(world: World, { workspaceId }: { workspaceId: Uuid }): Promise<Told[]> {
  return world.db.query(sql`select event, data from delivery where workspace_id = ${workspaceId} order by id`)
}

/** Moves the clock to the next day's run, or `laterMs` after it. */
export function nextRun(world: World, laterMs = 0): string {
  const at = plus(dayStart(plus(world.clock.now(), DAY_MS)), 5 * MINUTE_MS + laterMs)
  world.clock.set(at)
  return at.toISOString().slice(0, 10)
}

export async function setBalance(world: World, { workspaceId }: { workspaceId: Uuid }, balance: number): Promise<void> {
  await world.db.transaction(async (tx) => {
    const [row] = await tx.query<{ balance_units: number }>(
      sql`select balance_units from workspace where id = ${workspaceId} for no key update`,
    )
    const amount = units(balance - row!.balance_units)
    if (amount === 0) return
    made += 1
    await book(tx, { workspaceId, kind: 'adjustment', amount, key: `test ${made}`, at: world.clock.now() })
  })
}

export interface LedgerRow {
  kind: string
  amount_units: number
  balance_units: number
  key: string
  day: string | null
  units: number | null
}

export function ledgerOf(world: World, { workspaceId }: { workspaceId: Uuid }): Promise<LedgerRow[]> {
  return world.db.query(
    sql`select kind, amount_units, balance_units, key, day, units from ledger_entry where workspace_id = ${workspaceId}
        order by id`,
  )
}

/** Everything that does not add up; empty when all does. */
export function disagreements(world: World): Promise<unknown[]> {
  return world.db.query(sql`
    select 'balance' as what, w.id from workspace w
    where w.balance_units <> (select coalesce(sum(amount_units), 0) from ledger_entry e where e.workspace_id = w.id)
      or w.balance_units <> (select coalesce(sum(amount_units), 0) from ledger_posting p
        where p.workspace_id = w.id and p.account = 'wallet')
    union all
    select 'postings', e.id from ledger_entry e where (select array[count(*), sum(amount_units)] from ledger_posting p
      where p.workspace_id = e.workspace_id and p.entry_id = e.id) <> array[2, 0]::numeric[]
    union all
    select 'keyword days', e.id from ledger_entry e where e.kind = 'debit_keyword_days'
      and -e.amount_units <> (select coalesce(sum(d.units), 0) from keyword_day d where d.workspace_id = e.workspace_id
        and d.day = e.day)
    union all
    select 'mentions', e.id from ledger_entry e where e.kind = 'debit_mentions'
      and -e.amount_units <> (select coalesce(sum(u.mention_units), 0) from usage_day u
        where u.workspace_id = e.workspace_id and u.day = e.day)`)
}

/** All tables that the wallet may change, to compare before and after. */
export async function everything(world: World): Promise<unknown[]> {
  const tables = [
    'workspace',
    'ledger_entry',
    'ledger_posting',
    'keyword',
    'keyword_day',
    'usage_day',
    'delivery',
    'keyword_change',
    'wallet_spent',
  ]
  return await Promise.all(
    tables.map((table) => world.db.query(sql`select to_jsonb(t) as row from ${sql.table(table)} t order by 1`)),
  )
}

/** The same database, failing at the n-th statement over all transactions. */
export function failingAt(db: Database, n: number): { db: Database; seen: () => number } {
  let seen = 0
  const count = () => {
    seen += 1
    if (seen === n) throw new Error(`statement ${n} fails`)
  }
  return {
    seen: () => seen,
    db: {
      ...db,
      transaction: (work) =>
        db.transaction((tx) =>
          work({
            inTransaction: true,
            async query<Row>(statement: Statement<Row>) {
              count()
              return await tx.query(statement)
            },
            async run<Row>(name: string, text: string, values: readonly unknown[]) {
              count()
              return await tx.run<Row>(name, text, values)
            },
          }),
        ),
    },
  }
}
