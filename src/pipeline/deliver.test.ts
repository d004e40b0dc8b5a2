import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eventually, ruled } from '../../test/stand-ins/pipeline.ts'
import { createWorld, type TestWorkspace, type World } from '../../test/world.ts'
import { type LocalReceiver, startLocalReceiver } from '../channels/local-receiver.suite.ts'
import { updateChannel } from '../commands/channels/update-channel.ts'
import type { Uuid } from '../kernel/ids.ts'
import { silentLog } from '../kernel/log.ts'
import { createMetrics } from '../kernel/metrics.ts'
import { createSealer } from '../kernel/sealing.ts'
import { recordAccountEvent } from '../store/account-events.ts'
import { type Database, DatabaseUnavailable, sql } from '../store/database.ts'
import { createDeliverStage, type DeliverOptions, type DeliverStage } from './deliver.ts'

let world: World
let acme: TestWorkspace
let closing: (() => Promise<unknown>)[]

beforeEach(async () => {
  world = await createWorld()
  acme = await world.workspace('Acme')
  closing = []
})

afterEach(async () => {
  const closed = Promise.all(closing.map((close) => close()))
  while (await Promise.race([closed.then(() => false), world.clock.advance(100).then(() => true)]));
  await world.close()
})

const soon = (check: () => unknown, stepMs = 5) => eventually(check, { clock: world.clock, stepMs })

interface Sending {
  stage: DeliverStage
  stop(): Promise<void>
}

function run(more: Partial<DeliverOptions> = {}): Sending {
  const { channels, sealer } = world.services
  const stage = createDeliverStage({ db: world.db, clock: world.clock, log: silentLog, metrics: createMetrics(), channels, sealer, ...more })
  const ending = new AbortController()
  const running = stage.run(ending.signal)
  const stop = () => {
    ending.abort()
    return running
  }
  closing.push(stop)
  return { stage, stop }
}

interface Gate extends LocalReceiver {
  /** Requests that wait for a reply. */
  waiting: ServerResponse[]
  /** Accepts what waits, and everything later. */
  open(): void
}

/** A receiver that takes requests and keeps them waiting until the test opens it. */
async function startGate(): Promise<Gate> {
  const waiting: ServerResponse[] = []
  let isOpen = false
  const receiver = await startLocalReceiver((response) => void (isOpen ? response.end() : waiting.push(response)))
  const open = () => {
    isOpen = true
    for (const response of waiting.splice(0)) response.end()
  }
  closing.push(async () => {
    open()
    await receiver.close()
  })
  return { ...receiver, received: receiver.received, waiting, open }
}

async function startReceiver(): Promise<LocalReceiver> {
  const receiver = await startLocalReceiver()
  closing.push(receiver.close)
  return receiver
}

async function channelAt(url: string): Promise<Uuid> {
  return (await ruled(acme, url, { events: ['wallet.low'] })).channelId
}

/** Writes deliveries down for every channel that subscribes. */
async function due(count = 1, stage?: DeliverStage): Promise<void> {
  await world.db.transaction(async (tx) => {
    for (let number = 0; number < count; number += 1)
      await recordAccountEvent(tx, { workspaceId: acme.workspaceId, event: 'wallet.low', at: world.clock.now(), data: { number } })
  })
  stage?.wake()
}

async function rows(channelId: Uuid) {
  return await world.db.query<{ id: Uuid; status: string; attempts: number; error: string | null; response_status: number | null }>(
    sql`select id, status, attempts, error, response_status from delivery where channel_id = ${channelId} order by id`,
  )
}

async function count(from: string): Promise<number> {
  return (await world.db.query<{ n: number }>(sql`select count(*) as n from ${sql.raw(from)}`))[0]!.n
}

const timestampOf = ({ received }: LocalReceiver, at: number) => Number(received[at]!.headers['x-mentions-timestamp'])

describe('a delivery that fails', () => {
  it('goes again after about 30 seconds, under the same id and with a new time and signature', async () => {
    const receiver = await startReceiver()
    const channelId = await channelAt(receiver.url)
    receiver.play({ kind: 'answers', status: 503 })
    await due()
    run()
    await soon(async () => expect(await rows(channelId)).toMatchObject([{ status: 'pending', attempts: 1, error: 'status 503', response_status: 503 }]))
    receiver.play({ kind: 'accepts' })
    await soon(async () => expect(await rows(channelId)).toMatchObject([{ status: 'delivered', attempts: 2, error: null, response_status: 200 }]), 250)
    expect(receiver.received).toHaveLength(2)
    const [first, second] = receiver.received.map(({ headers, body }) => ({ headers, id: JSON.parse(body.toString()).id }))
    expect(second!.id).toBe(first!.id)
    expect(second!.headers['x-mentions-signature-v2']).not.toBe(first!.headers['x-mentions-signature-v2'])
    const apart = timestampOf(receiver, 1) - timestampOf(receiver, 0)
    expect(apart).toBeGreaterThanOrEqual(30)
    expect(apart).toBeLessThanOrEqual(38)
    expect(await count('delivery_queue')).toBe(0)
  })

  it('is given up after five attempts', async () => {
    const receiver = await startReceiver()
    const channelId = await channelAt(receiver.url)
    receiver.play({ kind: 'closes' })
    await due()
    run()
    await soon(async () => expect((await rows(channelId))[0]).toMatchObject({ status: 'failed', attempts: 5 }), 500)
    expect(receiver.received).toHaveLength(5)
    expect(new Set(receiver.received.map(({ body }) => JSON.parse(body.toString()).id)).size).toBe(1)
    expect(await count('delivery_queue')).toBe(0)
  })

  it.each([
    [410, {}],
    [302, { location: 'https://elsewhere.example/' }],
    [400, {}],
  ])('with status %d is not tried again', async (status, headers) => {
    const receiver = await startReceiver()
    const channelId = await channelAt(receiver.url)
    receiver.play({ kind: 'answers', status, headers })
    await due()
    run()
    await soon(async () => expect((await rows(channelId))[0]).toMatchObject({ status: 'failed', attempts: 1, response_status: status }))
    expect(await count('delivery_queue')).toBe(0)
  })

  it('waits for as long as the receiver asks', async () => {
    const receiver = await startReceiver()
    const channelId = await channelAt(receiver.url)
    receiver.play({ kind: 'answers', status: 429, headers: { 'retry-after': '120' } })
    await due()
    run()
    await soon(async () => expect((await rows(channelId))[0]).toMatchObject({ attempts: 1 }))
    receiver.play({ kind: 'accepts' })
    await soon(async () => expect((await rows(channelId))[0]).toMatchObject({ status: 'delivered' }), 500)
    const apart = timestampOf(receiver, 1) - timestampOf(receiver, 0)
    expect(apart).toBeGreaterThanOrEqual(119)
    expect(apart).toBeLessThan(135)
  })

  it('because this installation cannot open its secret is held and sent to nobody', async () => {
    const receiver = await startReceiver()
    const channelId = await channelAt(receiver.url)
    await due()
    run({ sealer: createSealer(randomBytes(32).toString('hex')) })
    await soon(async () => expect((await rows(channelId))[0]).toMatchObject({ status: 'held', attempts: 0 }))
    expect((await rows(channelId))[0]!.error).toContain('secret')
    expect(receiver.received).toHaveLength(0)
  })

  it('inside Earshot counts its attempts like any other', async () => {
    const receiver = await startReceiver()
    const channelId = await channelAt(receiver.url)
    await due()
    const broken = {
      ...world.services.sealer,
      open: () => {
        throw new Error('a defect')
      },
    }
    run({ sealer: broken })
    await soon(async () => expect((await rows(channelId))[0]).toMatchObject({ status: 'failed', attempts: 5, error: 'the attempt failed inside Earshot' }), 500)
  })
})

describe('a channel that changes', () => {
  it('gets no further attempt once it is switched off', async () => {
    const receiver = await startReceiver()
    const channelId = await channelAt(receiver.url)
    receiver.play({ kind: 'answers', status: 500 })
    await due()
    run()
    await soon(async () => expect((await rows(channelId))[0]).toMatchObject({ attempts: 1 }))
    await updateChannel(acme, channelId, { enabled: false })
    expect((await rows(channelId))[0]).toMatchObject({ status: 'cancelled' })
    await world.clock.advance(40_000)
    await soon(async () => expect(await count('delivery_queue')).toBe(0))
    expect(receiver.received).toHaveLength(1)
  })

  it('does not get what waited behind slow requests when it was switched off or moved', async () => {
    const gate = await startGate()
    const channelId = await channelAt(gate.url)
    await due(20)
    const { stage } = run()
    await soon(() => expect([gate.waiting.length, stage.length]).toEqual([8, 16]), 0)
    await updateChannel(acme, channelId, { enabled: false })
    gate.open()
    await soon(() => expect(stage.length).toBe(0))
    expect(gate.received).toHaveLength(8)
    const statuses = (await rows(channelId)).map(({ status }) => status)
    // What was on the wire was accepted, and the log says so.
    expect(statuses.filter((status) => status === 'delivered')).toHaveLength(8)
    expect(statuses.filter((status) => status === 'cancelled')).toHaveLength(12)
  })
})

describe('a receiver that hangs', () => {
  it('holds up nobody else', async () => {
    const gate = await startGate()
    const hanging = await channelAt(gate.url)
    await due(40)
    const receiver = await startReceiver()
    const { stage } = run()
    await soon(() => expect(stage.length).toBe(16))
    const healthy = await channelAt(receiver.url)
    await due(30, stage)
    await soon(async () => expect(await count(`delivery where channel_id = '${healthy}' and status = 'delivered'`)).toBe(30))
    expect(await count(`delivery where channel_id = '${hanging}' and status = 'pending'`)).toBe(70)
    expect(gate.waiting).toHaveLength(8)
  })

  it('does not keep the service looking without a pause', async () => {
    const gate = await startGate()
    await channelAt(gate.url)
    await due(40)
    let claims = 0
    const db: Database = {
      ...world.db,
      run: (name, text, values) => {
        if (name === 'claim-deliveries') claims += 1
        return world.db.run(name, text, values)
      },
    }
    const { stage } = run({ db })
    await soon(() => expect(stage.length).toBe(16))
    claims = 0
    const untilMs = world.clock.monotonicMs() + 2000
    await soon(() => expect(world.clock.monotonicMs()).toBeGreaterThan(untilMs), 20)
    expect(claims).toBeGreaterThan(0)
    expect(claims).toBeLessThan(15)
  })

  it('is not sent the same delivery again by the same process when a lease ends', async () => {
    const gate = await startGate()
    const channelId = await channelAt(gate.url)
    await due(4)
    const { stage } = run()
    await soon(() => expect(gate.waiting).toHaveLength(4))
    await soon(() => expect(stage.length).toBe(4))
    for (let seconds = 0; seconds < 40; seconds += 1) {
      await world.clock.advance(1000)
      await count('delivery')
    }
    expect(gate.received).toHaveLength(4)
    gate.open()
    await soon(async () => expect((await rows(channelId)).map(({ status, attempts }) => [status, attempts])).toEqual(Array(4).fill(['delivered', 1])))
    expect(gate.received).toHaveLength(4)
  })
})

describe('the end of the service', () => {
  it('finishes the requests on the wire and gives the others back at once', async () => {
    const gate = await startGate()
    const channelId = await channelAt(gate.url)
    await due(20)
    const { stage, stop } = run()
    await soon(() => expect([gate.waiting.length, stage.length]).toEqual([8, 16]))
    const stopped = stop()
    await soon(async () => expect(await count('delivery_queue where leased_until is null')).toBe(12))
    expect(gate.received).toHaveLength(8)
    gate.open()
    await soon(async () => expect(await count(`delivery where status = 'delivered'`)).toBe(8))
    await stopped
    expect(gate.received).toHaveLength(8)
    expect(await count('delivery_queue')).toBe(12)
    // The next process takes up what was given back.
    run()
    await soon(async () => expect((await rows(channelId)).every(({ status, attempts }) => status === 'delivered' && attempts === 1)).toBe(true))
    expect(gate.received).toHaveLength(20)
  })
})

describe('a short outage of the database', () => {
  it('is waited out, so that what was accepted is not sent again', async () => {
    const receiver = await startReceiver()
    const channelId = await channelAt(receiver.url)
    await due(3)
    let outages = 3
    const db: Database = {
      ...world.db,
      transaction: (work) => {
        outages -= 1
        return outages >= 0 ? Promise.reject(new DatabaseUnavailable(new Error('gone'))) : world.db.transaction(work)
      },
    }
    run({ db })
    await soon(async () => expect((await rows(channelId)).map(({ status }) => status)).toEqual(Array(3).fill('delivered')), 50)
    expect(receiver.received).toHaveLength(3)
  })

  it('does not end the search for deliveries', async () => {
    const receiver = await startReceiver()
    const channelId = await channelAt(receiver.url)
    await due()
    let outages = 2
    const db: Database = {
      ...world.db,
      run: (name, text, values) => {
        outages -= 1
        return outages >= 0 ? Promise.reject(new DatabaseUnavailable(new Error('gone'))) : world.db.run(name, text, values)
      },
    }
    run({ db })
    await soon(async () => expect((await rows(channelId))[0]).toMatchObject({ status: 'delivered', attempts: 1 }), 50)
  })
})
