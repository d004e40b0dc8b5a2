import { expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, store, type TestKeyword } from '../../../test/mentions.ts'
import { useWorld } from '../../../test/use-world.ts'
import { accepted, type TestWorkspace } from '../../../test/world.ts'
import { centsToUnits } from '../../kernel/money.ts'
import { sql } from '../../store/database.ts'
import { createChannel } from '../channels/create-channel.ts'
import { grantCredit } from './grant-credit.ts'

let made = 0
const world = useWorld()

async function workspace(): Promise<TestWorkspace> {
  made += 1
  const workspace = await world.workspace(`Workspace ${made}`)
  accepted(
    await createChannel(workspace, {
      kind: 'webhook',
      url: 'https://receiver.example/',
      events: ['keyword.capped', 'keyword.resumed'],
    }),
  )
  return workspace
}

const ledger = ({ workspaceId }: TestWorkspace) =>
  world.db.query<{ kind: string; amount_units: number; balance_units: number }>(
    sql`select kind, amount_units, balance_units from ledger_entry where workspace_id = ${workspaceId} order by id`,
  )
const collect = (keyword: TestKeyword, count: number) =>
  store(
    world,
    Array.from({ length: count }, () => matchedBy(makePost(world), [keyword])),
  )

test('a credit is added to the balance and written into the ledger, and counts as a top-up', async () => {
  const acme = await workspace()
  expect(await grantCredit(acme, 2000)).toBe(2580)
  expect(await ledger(acme)).toEqual([
    { kind: 'signup_credit', amount_units: centsToUnits(580), balance_units: centsToUnits(580) },
    { kind: 'grant', amount_units: centsToUnits(2000), balance_units: centsToUnits(2580) },
  ])
  const rows = await world.db.query(
    sql`select balance_units, last_credit_units, last_top_up_at, welcome_limits from workspace
        where id = ${acme.workspaceId}`,
  )
  expect(rows).toEqual([
    {
      balance_units: centsToUnits(2580),
      last_credit_units: centsToUnits(2000),
      last_top_up_at: world.clock.now(),
      welcome_limits: false,
    },
  ])
})

test('credits at the same time all count, and the ledger always says the balance', async () => {
  const acme = await workspace()
  await Promise.all(Array.from({ length: 10 }, (_, at) => grantCredit(acme, at + 1)))
  const entries = await ledger(acme)
  let balance = 0
  // Entries are ordered by id, which several at once may take in another order than they are written.
  for (const entry of [...entries].sort((a, b) => a.balance_units - b.balance_units)) {
    balance += entry.amount_units
    expect(entry.balance_units).toBe(balance)
  }
  expect(balance).toBe(centsToUnits(580 + 55))
  const rows = await world.db.query(sql`select balance_units from workspace where id = ${acme.workspaceId}`)
  expect(rows).toEqual([{ balance_units: balance }])
})

test('the first lets keywords go on that only the welcome limit had stopped, and keeps to their own limits', async () => {
  const acme = await workspace()
  const [free, higher, own] = [
    await makeKeyword(acme),
    await makeKeyword(acme, { cap: { mentions: 500 } }),
    await makeKeyword(acme, { cap: { mentions: 3 } }),
  ]
  await collect(free, 201)
  await collect(higher, 201)
  await collect(own, 4)
  await grantCredit(acme, 2000)
  const shown = async ({ shown }: TestKeyword) => {
    const { body } = await acme.api('GET', `/v1/keywords/${shown.id}`)
    return [body.pausedForCap, body.cap]
  }
  expect(await shown(free)).toEqual([false, null])
  expect(await shown(higher)).toEqual([false, { mentions: 500, welcome: false, own: 500 }])
  expect(await shown(own)).toEqual([true, { mentions: 3, welcome: false, own: 3 }])
  const told = await world.db.query<{ id: string; reason: string }>(
    sql`select data -> 'keyword' ->> 'id' as id, data ->> 'reason' as reason from delivery
        where workspace_id = ${acme.workspaceId} and event = 'keyword.resumed' order by id`,
  )
  expect(told).toEqual([free, higher].map((keyword) => ({ id: keyword.shown.id, reason: 'cap_raised' })))
  expect(await collect(free, 1)).toHaveLength(1)
  await grantCredit(acme, 1)
  expect(
    await world.db.query(
      sql`select 1 from delivery where workspace_id = ${acme.workspaceId} and event = 'keyword.resumed'`,
    ),
  ).toHaveLength(2)
})

test('an unmetered installation had no limits to lift', async () => {
  const acme = await workspace()
  const keyword = await makeKeyword(acme, { cap: { mentions: 1 } })
  await collect(keyword, 2)
  await grantCredit({ ...acme, billing: 'unmetered' }, 100)
  const rows = await world.db.query(sql`select event from delivery where workspace_id = ${acme.workspaceId}`)
  expect(rows).toEqual([{ event: 'keyword.capped' }])
})

test.each([0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('%d cents are no credit', async (cents) => {
  const acme = await workspace()
  await expect(grantCredit(acme, cents)).rejects.toThrow(RangeError)
  expect(await ledger(acme)).toHaveLength(1)
})
