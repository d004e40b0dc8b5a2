import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeKeyword } from '../../test/mentions.ts'
import { createMetrics } from '../../test/metrics.ts'
import { changeWallet } from '../../test/rows.ts'
import { eventually, ruled, whileTimePasses } from '../../test/stand-ins/pipeline.ts'
import { useFreshWorld, useWorkspace } from '../../test/use-world.ts'
import { startLocalReceiver } from '../channels/local-receiver.suite.ts'
import { runDay } from '../commands/wallet/daily-run.ts'
import { grantCredit } from '../commands/wallet/grant-credit.ts'
import { nextRun } from '../commands/wallet/wallet-setting.suite.ts'
import { MINUTE_MS, plus, SECOND_MS } from '../kernel/clock.ts'
import { silentLog } from '../kernel/log.ts'
import { claimDeliveries } from '../store/delivery/delivery-claims.ts'
import { putOffFollowers } from '../store/delivery/delivery-order.ts'
import { type DueDelivery, readDue } from '../store/delivery/due-deliveries.ts'
import { recordAccountEvents } from '../store/workspace/account-events.ts'
import { DeliverStage } from './deliver/deliver.ts'

let closing: (() => Promise<unknown>)[]
const world = useFreshWorld()
const acme = useWorkspace(world, 'Acme')
beforeEach(async () => {
  await grantCredit(acme, 2000)
  closing = []
})
afterEach(async () => {
  await whileTimePasses(world.clock, Promise.all(closing.map((close) => close())))
})

const EVENTS = ['keyword.paused_for_balance', 'keyword.resumed', 'wallet.paused', 'wallet.resumed']

/** What a process sends that shares the queue with others. */
function startSending(): void {
  const { channels, around, sealer } = world.services
  const stage = new DeliverStage({
    db: world.db,
    clock: world.clock,
    log: silentLog,
    metrics: createMetrics(),
    channels,
    around,
    sealer,
  })
  const ending = new AbortController()
  const running = stage.run(ending.signal)
  closing.push(() => {
    ending.abort()
    return running
  })
}

interface Arrived {
  event: string
  /** Requests that the receiver had answered by then. */
  answered: number
}

/** A receiver that takes its time, a different one for each request. */
async function startReceiver(status = 200): Promise<{ url: string; arrived: Arrived[] }> {
  const arrived: Arrived[] = []
  let answered = 0
  const receiver = await startLocalReceiver((response) => {
    arrived.push({ event: JSON.parse(receiver.received.at(-1)!.body.toString()).event, answered })
    setTimeout(
      () => {
        answered += 1
        response.writeHead(status).end()
      },
      (arrived.length * 7) % 30,
    )
  })
  closing.push(receiver.close)
  return { url: receiver.url, arrived }
}

test('of a hundred keywords every one is told of before the wallet, when they stop and when they go on, by two processes', async () => {
  for (let count = 0; count < 100; count += 1) await makeKeyword(acme)
  const { url, arrived } = await startReceiver()
  await ruled(acme, url, { events: EVENTS })
  startSending()
  startSending()
  await changeWallet(world, acme.workspaceId, { balanceUnits: 0 })
  nextRun(world)
  await runDay(world.services)
  await eventually(() => expect(arrived).toHaveLength(101), { clock: world.clock })
  expect(arrived.slice(0, 100).every(({ event }) => event === 'keyword.paused_for_balance')).toBe(true)
  expect(arrived.at(-1)).toEqual({ event: 'wallet.paused', answered: 100 })
  await grantCredit(acme, 10_000)
  await eventually(() => expect(arrived).toHaveLength(202), { clock: world.clock })
  expect(arrived.slice(101, 201).every(({ event }) => event === 'keyword.resumed')).toBe(true)
  expect(arrived.at(-1)).toEqual({ event: 'wallet.resumed', answered: 201 })
}, 60_000)

test('a receiver that fails is told of the wallet as soon as everything before was tried once', async () => {
  for (let count = 0; count < 5; count += 1) await makeKeyword(acme)
  const { url, arrived } = await startReceiver(503)
  await ruled(acme, url, { events: EVENTS })
  await changeWallet(world, acme.workspaceId, { balanceUnits: 0 })
  nextRun(world)
  await runDay(world.services)
  startSending()
  const began = world.clock.now()
  await eventually(() => expect(arrived.map(({ event }) => event)).toContain('wallet.paused'), { clock: world.clock })
  expect(arrived.map(({ event }) => event)).toEqual([
    ...Array.from({ length: 5 }, () => 'keyword.paused_for_balance'),
    'wallet.paused',
  ])
  expect(world.clock.now().getTime() - began.getTime()).toBeLessThan(25 * SECOND_MS)
})

test('what is told of one keyword keeps its order, other keywords do not wait for it, and nothing waits for longer than ten minutes', async () => {
  await ruled(acme, 'https://hooks.example.com/', { events: [...EVENTS, 'keyword.capped'] })
  const at = world.clock.now()
  const told = (event: 'keyword.resumed' | 'keyword.capped' | 'wallet.resumed', id?: string) => ({
    workspaceId: acme.workspaceId,
    event,
    at,
    data: id === undefined ? {} : { keyword: { id } },
  })
  await world.db.transaction((tx) =>
    recordAccountEvents(tx, [
      told('keyword.resumed', 'kw_a'),
      told('keyword.capped', 'kw_a'),
      told('keyword.resumed', 'kw_b'),
      told('wallet.resumed'),
    ]),
  )
  const leasedUntil = plus(at, MINUTE_MS)
  const { deliveries } = await claimDeliveries(world.db, {
    at,
    leasedUntil,
    limit: 10,
    exceptChannels: [],
    perChannel: 8,
    after: null,
  })
  const due = await readDue(world.db, deliveries)
  const putOff = async (some: readonly DueDelivery[], now: Date) => {
    const later = await putOffFollowers(world.db, some, { at: now, leasedUntil })
    return some.filter(({ deliveryId }) => later.has(deliveryId)).map(({ event }) => event)
  }
  expect(due).toHaveLength(4)
  expect(await putOff(due, plus(at, 10 * MINUTE_MS))).toEqual([])
  expect(await putOff(due, at)).toEqual(['keyword.capped', 'wallet.resumed'])
  // What is put off is nobody's any more.
  expect(await putOff(due, at)).toEqual([])
})
