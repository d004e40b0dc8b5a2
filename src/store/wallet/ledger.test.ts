import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { useWorld } from '../../../test/use-world.ts'
import type { TestWorkspace } from '../../../test/world.ts'
import { LEDGER_KINDS } from '../../domain/wallet/ledger.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { units } from '../../kernel/money.ts'
import { sql } from '../database.ts'
import { book, bookAll, type LedgerEntry } from './ledger.ts'

const world = useWorld()

const ledger = (workspaceId: Uuid) =>
  world.db.query<{ key: string; amount_units: number; balance_units: number }>(
    sql`select key, amount_units, balance_units from ledger_entry where workspace_id = ${workspaceId} order by id`,
  )
const postings = (entryId: Uuid) =>
  world.db.query<{ account: string; amount_units: number }>(
    sql`select account, amount_units from ledger_posting where entry_id = ${entryId} order by account desc`,
  )
const balance = async (workspaceId: Uuid) =>
  (
    await world.db.query<{ balance_units: number }>(sql`select balance_units from workspace where id = ${workspaceId}`)
  )[0]!.balance_units
const entry = (
  { workspaceId }: TestWorkspace,
  key: string,
  amount: number,
  kind: LedgerEntry['kind'] = 'grant',
): LedgerEntry => ({
  workspaceId,
  kind,
  amount: units(amount),
  key,
  at: world.clock.now(),
})
const booking = (ledgerEntry: LedgerEntry) => world.db.transaction((tx) => book(tx, ledgerEntry))

describe('an entry', () => {
  test('moves the balance and has two postings that add up to nothing', async () => {
    const workspace = await world.workspace('One')
    const booked = await booking({ ...entry(workspace, 'payment pi_1', 3000, 'topup'), note: 'paid' })
    expect(booked).toEqual({ entryId: booked.entryId, balance: 20_400, isNew: true })
    expect(await postings(booked.entryId)).toEqual([
      { account: 'wallet', amount_units: 3000 },
      { account: 'payment', amount_units: -3000 },
    ])
    const debit = await booking({
      ...entry(workspace, 'mentions 2026-11-19', -48, 'debit_mentions'),
      day: '2026-11-19',
      units: 2,
    })
    expect(await postings(debit.entryId)).toEqual([
      { account: 'wallet', amount_units: -48 },
      { account: 'revenue', amount_units: 48 },
    ])
    const [row] = await world.db.query(
      sql`select kind, amount_units, balance_units, day, units, note, created_at from ledger_entry
          where id = ${debit.entryId}`,
    )
    const at = world.clock.now()
    expect(row).toEqual({
      kind: 'debit_mentions',
      amount_units: -48,
      balance_units: 20_352,
      day: '2026-11-19',
      units: 2,
      note: null,
      created_at: at,
    })
    expect(await balance(workspace.workspaceId)).toBe(20_352)
  })

  test('is booked once a key, whatever comes under it later, and in each workspace for itself', async () => {
    const [workspace, other] = [await world.workspace('Once'), await world.workspace('Other')]
    const first = await booking(entry(workspace, 'payment pi_2', 100))
    expect(await booking(entry(workspace, 'payment pi_2', 999))).toEqual({ ...first, isNew: false })
    expect((await booking(entry(other, 'payment pi_2', 100))).isNew).toBe(true)
    expect(await balance(workspace.workspaceId)).toBe(17_500)
  })

  test('is booked once when many try at the same time', async () => {
    const workspace = await world.workspace('Race')
    const booked = await Promise.all(Array.from({ length: 8 }, () => booking(entry(workspace, 'payment pi_3', 100))))
    expect(booked.filter(({ isNew }) => isNew)).toHaveLength(1)
    expect(new Set(booked.map(({ entryId }) => entryId)).size).toBe(1)
    expect(await ledger(workspace.workspaceId)).toHaveLength(2)
    expect(await balance(workspace.workspaceId)).toBe(17_500)
  })

  test('may take the balance below nothing', async () => {
    const workspace = await world.workspace('Below')
    expect((await booking(entry(workspace, 'refund re_1', -20_000, 'refund'))).balance).toBe(-2600)
  })

  test('of nothing, or of a workspace that does not exist, is refused', async () => {
    const workspace = await world.workspace('Nothing')
    await expect(booking(entry(workspace, 'nothing', 0))).rejects.toThrow(RangeError)
    await expect(
      booking({ ...entry(workspace, 'nobody', 1), workspaceId: '01900000-0000-7000-8000-000000000000' as Uuid }),
    ).rejects.toThrow('is gone')
    await expect(
      world.db.transaction((tx) => bookAll(tx, [entry(workspace, 'twice', 1), entry(workspace, 'twice', 2)])),
    ).rejects.toThrow('under one key')
    expect(await ledger(workspace.workspaceId)).toHaveLength(1)
  })

  test('that takes from a wallet is noted for the next look at it, unless it is a debit of the daily run', async () => {
    const workspace = await world.workspace('Noted')
    const notes = async () =>
      (await world.db.query(sql`select from wallet_spent where workspace_id = ${workspace.workspaceId}`)).length
    await booking(entry(workspace, 'grant 1', 100))
    await booking(entry(workspace, 'keyword_days 2026-11-20', -500, 'debit_keyword_days'))
    expect(await notes()).toBe(0)
    for (const [at, kind] of (['refund', 'dispute', 'adjustment'] as const).entries()) {
      await booking(entry(workspace, `taken ${at}`, -1, kind))
      expect(await notes()).toBe(at + 1)
    }
  })
})

test('however entries come, repeated and at once, each key counts once and every balance is the sum so far', async () => {
  const workspaces = [await world.workspace('First'), await world.workspace('Second')]
  let round = 0
  const batch = fc.uniqueArray(fc.tuple(fc.nat(1), fc.nat(9)), { selector: (pair) => pair.join(), maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(
      fc.array(batch, { maxLength: 6 }),
      fc.array(fc.integer({ min: -5000, max: 5000 }).filter(Boolean), { minLength: 20, maxLength: 20 }),
      async (batches, amounts) => {
        round += 1
        const before = await Promise.all(workspaces.map(({ workspaceId }) => balance(workspaceId)))
        const entryOf = ([at, key]: [number, number]) =>
          entry(
            workspaces[at]!,
            `round ${round} ${key}`,
            amounts[at * 10 + key]!,
            LEDGER_KINDS[(at + key) % LEDGER_KINDS.length],
          )
        await Promise.all(batches.map((pairs) => world.db.transaction((tx) => bookAll(tx, pairs.map(entryOf)))))
        for (const [at, { workspaceId }] of workspaces.entries()) {
          const keys = new Set(
            batches
              .flat()
              .filter(([place]) => place === at)
              .map(([, key]) => key),
          )
          const sum = [...keys].reduce((total, key) => total + amounts[at * 10 + key]!, before[at]!)
          expect(await balance(workspaceId)).toBe(sum)
        }
      },
    ),
    { numRuns: 25 },
  )
  const odd = await world.db.query(sql`
    select e.key from ledger_entry e join ledger_posting p on p.workspace_id = e.workspace_id and p.entry_id = e.id
    group by e.workspace_id, e.id having sum(p.amount_units) <> 0 or count(*) <> 2
      or max(p.amount_units) filter (where p.account = 'wallet') <> e.amount_units`)
  expect(odd).toEqual([])
})

describe('what is booked', () => {
  test('can neither be changed nor taken out, by nobody', async () => {
    const workspace = await world.workspace('Kept')
    for (const table of ['ledger_entry', 'ledger_posting']) {
      await expect(
        world.admin(`update ${table} set amount_units = 1 where workspace_id = '${workspace.workspaceId}'`),
      ).rejects.toThrow('append-only')
      await expect(world.admin(`delete from ${table} where workspace_id = '${workspace.workspaceId}'`)).rejects.toThrow(
        'append-only',
      )
      await expect(world.admin(`truncate ${table} cascade`)).rejects.toThrow('append-only')
    }
    await expect(
      world.admin(
        `with gone as (delete from workspace where false) delete from ledger_entry where workspace_id = '${workspace.workspaceId}'`,
      ),
    ).rejects.toThrow('append-only')
    expect(await ledger(workspace.workspaceId)).toHaveLength(1)
  })

  test('goes with its workspace', async () => {
    const workspace = await world.workspace('Gone')
    await world.admin(`delete from keyword_group where workspace_id = '${workspace.workspaceId}'`)
    await world.admin(`delete from workspace where id = '${workspace.workspaceId}'`)
    expect(
      await world.db.query(
        sql`select from ledger_entry where workspace_id = ${workspace.workspaceId} union all select from ledger_posting
            where workspace_id = ${workspace.workspaceId}`,
      ),
    ).toEqual([])
  })
})
