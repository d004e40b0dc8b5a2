import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, store, VERDICT } from '../../../test/mentions.ts'
import { createMetrics } from '../../../test/metrics.ts'
import { changeChannel, changeMention, liftWelcomeLimits } from '../../../test/rows.ts'
import { eventually, ruled, whileTimePasses } from '../../../test/stand-ins/pipeline.ts'
import { useFreshWorld, useWorkspace } from '../../../test/use-world.ts'
import { type LocalReceiver, startLocalReceiver } from '../../channels/local-receiver.suite.ts'
import { newWebhookSecret } from '../../channels/webhook/config.ts'
import { updateChannel } from '../../commands/channels/update-channel.ts'
import type { NewMention } from '../../commands/mentions/ingest-posts.ts'
import { recordScores } from '../../commands/mentions/record-scores.ts'
import { newUuid, toId, type Uuid } from '../../kernel/ids.ts'
import { createLog, silentLog } from '../../kernel/log.ts'
import { renderMetrics } from '../../kernel/metrics.ts'
import { createSealer } from '../../kernel/sealing.ts'
import { insertChannel, secretBinding } from '../../store/channel/channels.ts'
import { type Database, DatabaseUnavailable, sql } from '../../store/database.ts'
import { rotateOutbox } from '../../store/delivery/outbox.ts'
import type { NewDelivery } from '../../store/delivery/rule-deliveries.ts'
import { recordAccountEvents } from '../../store/workspace/account-events.ts'
import { type DeliverOptions, DeliverStage } from './deliver.ts'

let closing: (() => Promise<unknown>)[]

const world = useFreshWorld()
const acme = useWorkspace(world, 'Acme')
beforeEach(() => {
  closing = []
})

afterEach(async () => {
  const closed = Promise.all(closing.map((close) => close()))
  await whileTimePasses(world.clock, closed)
})

const soon = (check: () => unknown, stepMs = 5) => eventually(check, { clock: world.clock, stepMs })

interface Sending {
  stage: DeliverStage
  stop(): Promise<void>
}

function run(more: Partial<DeliverOptions> = {}): Sending {
  const { channels, around, sealer } = world.services
  const stage = new DeliverStage({
    db: world.db,
    clock: world.clock,
    log: silentLog,
    metrics: createMetrics(),
    channels,
    around,
    sealer,
    ...more,
  })
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
      await recordAccountEvents(tx, [
        { workspaceId: acme.workspaceId, event: 'wallet.low', at: world.clock.now(), data: { number } },
      ])
  })
  stage?.wake()
}

async function rows(channelId: Uuid) {
  return await world.db.query<{
    id: Uuid
    status: string
    attempts: number
    error: string | null
    response_status: number | null
  }>(sql`select id, status, attempts, error, response_status from delivery where channel_id = ${channelId} order by id`)
}

async function count(from: string): Promise<number> {
  return (await world.db.query<{ n: number }>(sql`select count(*) as n from ${sql.raw(from)}`))[0]!.n
}

const timestampOf = ({ received }: LocalReceiver, at: number) => Number(received[at]!.headers['x-mentions-timestamp'])

test('a host gets so many requests a second over all channels, the others wait, and none is lost', async () => {
  const [first, second] = [await startReceiver(), await startReceiver()]
  for (const { url } of [first, second]) await channelAt(url)
  const sent = () => first.received.length + second.received.length
  const begun = world.clock.monotonicMs()
  await due(10)
  run({ perHostSecond: 4 })
  await soon(() => expect(sent()).toBeGreaterThanOrEqual(4))
  for (const [seconds, most] of [
    [1, 8],
    [2, 12],
    [3, 16],
  ] as const) {
    await soon(() => expect(world.clock.monotonicMs() - begun).toBeGreaterThanOrEqual(seconds * 1000), 50)
    expect(sent()).toBeLessThanOrEqual(most + 1)
  }
  await soon(() => expect(sent()).toBe(20), 50)
  expect(world.clock.monotonicMs() - begun).toBeGreaterThanOrEqual(3500)
  await soon(async () => expect(await count('delivery_queue')).toBe(0))
  expect(await count("delivery where status = 'delivered' and attempts = 1")).toBe(20)
})

describe('a delivery that fails', () => {
  test('goes again after about 30 seconds, under the same id and with a new time and signature', async () => {
    const receiver = await startReceiver()
    const channelId = await channelAt(receiver.url)
    receiver.play({ kind: 'answers', status: 503 })
    await due()
    run()
    await soon(async () =>
      expect(await rows(channelId)).toMatchObject([
        { status: 'pending', attempts: 1, error: 'status 503', response_status: 503 },
      ]),
    )
    receiver.play({ kind: 'accepts' })
    await soon(
      async () =>
        expect(await rows(channelId)).toMatchObject([
          { status: 'delivered', attempts: 2, error: null, response_status: 200 },
        ]),
      250,
    )
    expect(receiver.received).toHaveLength(2)
    const [first, second] = receiver.received.map(({ headers, body }) => ({
      headers,
      id: JSON.parse(body.toString()).id,
    }))
    expect(second!.id).toBe(first!.id)
    expect(second!.headers['x-mentions-signature-v2']).not.toBe(first!.headers['x-mentions-signature-v2'])
    const apart = timestampOf(receiver, 1) - timestampOf(receiver, 0)
    expect(apart).toBeGreaterThanOrEqual(30)
    expect(apart).toBeLessThanOrEqual(38)
    expect(await count('delivery_queue')).toBe(0)
  })

  test('is given up after five attempts', async () => {
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

  test.each([
    [410, {}],
    [302, { location: 'https://elsewhere.example/' }],
    [400, {}],
  ])('with status %d is not tried again', async (status, headers) => {
    const receiver = await startReceiver()
    const channelId = await channelAt(receiver.url)
    receiver.play({ kind: 'answers', status, headers })
    await due()
    run()
    await soon(async () =>
      expect((await rows(channelId))[0]).toMatchObject({ status: 'failed', attempts: 1, response_status: status }),
    )
    expect(await count('delivery_queue')).toBe(0)
  })

  test('waits for as long as the receiver asks', async () => {
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

  test('because this installation cannot open its secret is held and sent to nobody', async () => {
    const receiver = await startReceiver()
    const channelId = await channelAt(receiver.url)
    await due()
    run({ sealer: createSealer(randomBytes(32).toString('hex')) })
    await soon(async () => expect((await rows(channelId))[0]).toMatchObject({ status: 'held', attempts: 0 }))
    expect((await rows(channelId))[0]!.error).toContain('secret')
    expect(receiver.received).toHaveLength(0)
  })

  test('inside Earshot counts its attempts like any other', async () => {
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
    await soon(
      async () =>
        expect((await rows(channelId))[0]).toMatchObject({
          status: 'failed',
          attempts: 5,
          error: 'the attempt failed inside Earshot',
        }),
      500,
    )
  })
})

describe('a channel that changes', () => {
  test('gets no further attempt once it is switched off', async () => {
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

  test('does not get what waited behind slow requests when it was switched off or moved', async () => {
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

describe('what waited behind slow requests', () => {
  test('is sent under the name that its rule has by then, and not when its mention was closed', async () => {
    const gate = await startGate()
    const { channelId } = await ruled(acme, gate.url)
    const { stage } = await settledIn()
    const mentions = await mentioned(12)
    const made = await scoredInto(stage, mentions)
    await soon(() => expect([gate.waiting.length, stage.length]).toEqual([8, 12]), 0)
    const closed = made[10]!
    await world.db.query(sql`update alert set name = 'By another name' where id = ${closed.alerts[0]!.id}`)
    await changeMention(world, closed.mentionId!, { status: 'ignored' })
    gate.open()
    await soon(() => expect(stage.length).toBe(0))
    const names = gate.received.map(({ body }) => JSON.parse(body.toString()).alert.name)
    expect(names.filter((name) => name === 'By another name')).toHaveLength(3)
    expect(names).toHaveLength(11)
    const cancelled = (await rows(channelId)).filter(({ status }) => status === 'cancelled')
    expect(cancelled).toMatchObject([{ id: closed.deliveryId, attempts: 0 }])
  })
})

describe('whoever makes deliveries', () => {
  const never = new AbortController().signal

  test('waits for nothing while few are in hand', async () => {
    const { stage } = await settledIn()
    const before = world.clock.waits
    await stage.pace(never)
    expect(world.clock.waits).toBe(before)
  })

  test('waits a moment while many are in hand, and no longer when they do not become fewer', async () => {
    const { stage } = await settledIn()
    const intake = stage.begin()
    for (let number = 0; number <= 1200; number += 1) {
      const id = newUuid(world.clock.now())
      expect(intake.admits(id, id)).toBe(true)
    }
    let went = false
    const paced = stage.pace(never).then(() => {
      went = true
    })
    await world.clock.advance(25)
    expect(went).toBe(false)
    await world.clock.advance(25)
    await paced
    intake.abandon()
  })

  test('goes on at once when the service ends', async () => {
    const { stage } = await settledIn()
    const intake = stage.begin()
    for (let number = 0; number <= 1200; number += 1)
      intake.admits(newUuid(world.clock.now()), newUuid(world.clock.now()))
    await stage.pace(AbortSignal.abort())
    intake.abandon()
  })

  test('waits for no single workspace, not even for one that has its share and a claim on top of it', async () => {
    const gate = await startGate()
    for (let number = 0; number < 25; number += 1) await channelAt(`${gate.url}/${number}`)
    const { stage } = await settledIn()
    const intake = stage.begin()
    for (let number = 0; number < 999; number += 1) intake.admits(acme.workspaceId, newUuid(world.clock.now()))
    await due(8, stage)
    await soon(() => expect(stage.length).toBe(1199), 0)
    let went = false
    const paced = stage.pace(never).then(() => {
      went = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(went).toBe(true)
    await paced
    intake.abandon()
  })
})

describe('a receiver that hangs', () => {
  test('holds up nobody else', async () => {
    const gate = await startGate()
    const hanging = await channelAt(gate.url)
    await due(40)
    const receiver = await startReceiver()
    const { stage } = run()
    await soon(() => expect(stage.length).toBe(16))
    const healthy = await channelAt(receiver.url)
    await due(30, stage)
    await soon(async () =>
      expect(await count(`delivery where channel_id = '${healthy}' and status = 'delivered'`)).toBe(30),
    )
    expect(await count(`delivery where channel_id = '${hanging}' and status = 'pending'`)).toBe(70)
    expect(gate.waiting).toHaveLength(8)
  })

  test('leaves room to other workspaces in however many channels of its own it hangs', async () => {
    const gate = await startGate()
    for (let number = 0; number < 170; number += 1) {
      // More than a workspace may have by now, but may have had before.
      const id = newUuid(world.clock.now())
      const secretSealed = world.services.sealer.seal(newWebhookSecret(), secretBinding(acme.workspaceId, id))
      const config = { url: `${gate.url}/${number}`, headers: {} }
      const channel = {
        workspaceId: acme.workspaceId,
        id,
        kind: 'webhook' as const,
        label: 'Hangs',
        enabled: true,
        config,
        secretSealed,
      }
      await world.db.transaction((tx) =>
        insertChannel(tx, { ...channel, events: ['wallet.low'], createdAt: world.clock.now() }),
      )
    }
    await due(10)
    const { stage } = run()
    await soon(() => expect(stage.length).toBeGreaterThanOrEqual(1000))
    for (let looks = 0; looks < 20; looks += 1) {
      await world.clock.advance(250)
      await count('delivery')
    }
    // Its share, and at most one claim on top of it.
    expect(stage.length).toBeLessThan(1200)
    const [other, receiver] = [await world.workspace('Other'), await startReceiver()]
    const { channelId } = await ruled(other, receiver.url, { events: ['wallet.low'] })
    await world.db.transaction((tx) =>
      recordAccountEvents(tx, [
        { workspaceId: other.workspaceId, event: 'wallet.low', at: world.clock.now(), data: {} },
      ]),
    )
    stage.wake()
    await soon(async () => expect(await rows(channelId)).toMatchObject([{ status: 'delivered' }]))
    gate.open()
    await soon(async () => expect(await count(`delivery where status = 'delivered'`)).toBe(1701), 50)
    expect(gate.received).toHaveLength(1700)
  })

  test('does not keep the service looking without a pause', async () => {
    const gate = await startGate()
    await channelAt(gate.url)
    await due(40)
    let claims = 0
    const db: Database = {
      ...world.db,
      transaction: (work) =>
        world.db.transaction((tx) => {
          const run: typeof tx.run = (name, text, values) => {
            if (name === 'claim-deliveries') claims += 1
            return tx.run(name, text, values)
          }
          return work({ ...tx, run })
        }),
    }
    const { stage } = run({ db })
    await soon(() => expect(stage.length).toBe(16))
    claims = 0
    const untilMs = world.clock.monotonicMs() + 2000
    await soon(() => expect(world.clock.monotonicMs()).toBeGreaterThan(untilMs), 20)
    expect(claims).toBeGreaterThan(0)
    expect(claims).toBeLessThan(15)
  })

  test('is not sent the same delivery again by the same process when a lease ends', async () => {
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
    await soon(async () =>
      expect((await rows(channelId)).map(({ status, attempts }) => [status, attempts])).toEqual(
        Array(4).fill(['delivered', 1]),
      ),
    )
    expect(gate.received).toHaveLength(4)
  })
})

describe('the end of the service', () => {
  test('finishes the requests on the wire and gives the others back at once', async () => {
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
    await soon(async () =>
      expect((await rows(channelId)).every(({ status, attempts }) => status === 'delivered' && attempts === 1)).toBe(
        true,
      ),
    )
    expect(gate.received).toHaveLength(20)
  })
})

describe('a short outage of the database', () => {
  test('is waited out, so that what was accepted is not sent again', async () => {
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
    await soon(
      async () => expect((await rows(channelId)).map(({ status }) => status)).toEqual(Array(3).fill('delivered')),
      50,
    )
    expect(receiver.received).toHaveLength(3)
  })

  test('is waited out however long it lasts, also beyond the lease', async () => {
    const receiver = await startReceiver()
    const channelId = await channelAt(receiver.url)
    await due(3)
    let refused = 0
    let away = false
    const db: Database = {
      ...world.db,
      transaction: async (work) => {
        if (away) {
          refused += 1
          throw new DatabaseUnavailable(new Error('gone'))
        }
        // It goes away right behind the claim.
        const result = await world.db.transaction(work)
        away = refused === 0
        return result
      },
    }
    const { stage } = run({ db })
    await soon(() => expect(receiver.received).toHaveLength(3))
    for (let seconds = 0; seconds < 60; seconds += 1) await world.clock.advance(1000)
    expect([stage.length, refused > 30]).toEqual([3, true])
    expect((await rows(channelId)).map(({ status }) => status)).toEqual(Array(3).fill('pending'))
    away = false
    await soon(
      async () =>
        expect((await rows(channelId)).map(({ status, attempts }) => [status, attempts])).toEqual(
          Array(3).fill(['delivered', 1]),
        ),
      50,
    )
    await soon(() => expect(stage.length).toBe(0))
    expect(receiver.received).toHaveLength(3)
  })

  test('that does not end lets the process end all the same', async () => {
    const receiver = await startReceiver()
    await channelAt(receiver.url)
    await due(3)
    let away = false
    const db: Database = {
      ...world.db,
      transaction: (work) =>
        away
          ? Promise.reject(new DatabaseUnavailable(new Error('gone')))
          : world.db.transaction(work).finally(() => (away = true)),
    }
    const { stop } = run({ db })
    await soon(() => expect(receiver.received).toHaveLength(3))
    let ended = false
    void stop().then(() => (ended = true))
    await soon(() => expect(ended).toBe(true), 250)
  })

  test('does not end the search for deliveries', async () => {
    const receiver = await startReceiver()
    const channelId = await channelAt(receiver.url)
    await due()
    let outages = 2
    const db: Database = {
      ...world.db,
      run: (name, text, values) => {
        outages -= 1
        return outages >= 0
          ? Promise.reject(new DatabaseUnavailable(new Error('gone')))
          : world.db.run(name, text, values)
      },
    }
    run({ db })
    await soon(async () => expect((await rows(channelId))[0]).toMatchObject({ status: 'delivered', attempts: 1 }), 50)
  })
})

/** Scores mentions with a stage's intake, as the scoring stage does; answers what was written down. */
async function scoredInto(
  stage: DeliverStage,
  mentions: readonly NewMention[],
  { complete = true } = {},
): Promise<NewDelivery[]> {
  const intake = stage.begin()
  const scores = mentions.map((mention) => ({ mention: mention, verdict: VERDICT, authorKeys: [] }))
  const { deliveries: made } = await world.db.transaction((tx) =>
    recordScores(tx, scores, { at: world.clock.now(), metered: true, admission: intake }),
  )
  if (complete) intake.complete(made)
  return made
}

/** Stores mentions of a keyword of its own. */
async function mentioned(count: number): Promise<NewMention[]> {
  await liftWelcomeLimits(world)
  const keyword = await makeKeyword(acme)
  return await store(
    world,
    Array.from({ length: count }, (_, number) => matchedBy(makePost(world, { text: `Post ${number}` }), [keyword])),
  )
}

/** Runs a stage that has looked through the queue once, and counts how often it claims. */
async function settledIn(more: Partial<DeliverOptions> = {}) {
  const counted = { claims: 0 }
  const db: Database = {
    ...world.db,
    transaction: (work) =>
      world.db.transaction((tx) => {
        const run: typeof tx.run = (name, text, values) => {
          if (name === 'claim-deliveries') counted.claims += 1
          return tx.run(name, text, values)
        }
        return work({ ...tx, run })
      }),
  }
  const sending = run({ db, ...more })
  await soon(() => expect(world.clock.waits).toBeGreaterThan(0), 0)
  return { ...sending, counted }
}

const textsOf = ({ received }: LocalReceiver): string[] =>
  received.map(({ body }) => JSON.parse(body.toString()).data.post.text)

describe('what was just written down', () => {
  test('is sent from memory, without a look at the queue', async () => {
    const receiver = await startReceiver()
    const { channelId } = await ruled(acme, receiver.url)
    const { stage, counted } = await settledIn()
    const before = counted.claims
    const made = await scoredInto(stage, await mentioned(5))
    expect(made.map(({ admitted }) => admitted)).toEqual(Array(5).fill(true))
    await soon(async () =>
      expect((await rows(channelId)).map(({ status }) => status)).toEqual(Array(5).fill('delivered')),
    )
    expect(counted.claims).toBe(before)
    expect(textsOf(receiver).sort()).toEqual(['Post 0', 'Post 1', 'Post 2', 'Post 3', 'Post 4'])
    expect(await count('delivery_queue')).toBe(0)
    expect(await count('mention where delivered')).toBe(5)
    expect(stage.length).toBe(0)
  })

  test('is left to the queue before that was looked through once, and sent all the same', async () => {
    const receiver = await startReceiver()
    await ruled(acme, receiver.url)
    const { channels, around, sealer } = world.services
    const idle = new DeliverStage({
      db: world.db,
      clock: world.clock,
      log: silentLog,
      metrics: createMetrics(),
      channels,
      around,
      sealer,
    })
    const made = await scoredInto(idle, await mentioned(3))
    expect(made.map(({ admitted }) => admitted)).toEqual(Array(3).fill(false))
    run()
    await soon(async () => expect(await count("delivery where status = 'delivered'")).toBe(3))
    expect(receiver.received).toHaveLength(3)
  })

  test('goes to the queue where its lane is full, and everything arrives once and in the order of age', async () => {
    const gate = await startGate()
    const { channelId } = await ruled(acme, gate.url)
    const { stage } = await settledIn()
    const mentions = await mentioned(40)
    const first = await scoredInto(stage, mentions.slice(0, 25))
    expect(first.filter(({ admitted }) => admitted)).toHaveLength(16)
    await soon(() => expect(gate.waiting).toHaveLength(8), 0)
    // Also with room in the lane nothing newer goes before what waits in the queue.
    const second = await scoredInto(stage, mentions.slice(25))
    expect(second.filter(({ admitted }) => admitted)).toEqual([])
    expect(await count('delivery_queue where leased_until is null')).toBe(24)
    gate.open()
    await soon(async () =>
      expect(await count(`delivery where channel_id = '${channelId}' and status = 'delivered' and attempts = 1`)).toBe(
        40,
      ),
    )
    const order = textsOf(gate).map((text) => Number(text.slice(5)))
    expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, at) => at))
    // Eight are on the wire at once: none can be further from its place than that.
    for (const [at, number] of order.entries()) expect(Math.abs(at - number)).toBeLessThan(16)
    const third = await scoredInto(stage, await mentioned(2))
    await soon(async () => expect(await count("delivery where status = 'pending'")).toBe(0))
    expect(third).toHaveLength(2)
  })

  test('is sent by another process after half a minute when its own dies between the commit and the request', async () => {
    const receiver = await startReceiver()
    await ruled(acme, receiver.url)
    const dying = await settledIn()
    const made = await scoredInto(dying.stage, await mentioned(6), { complete: false })
    expect(made.every(({ admitted }) => admitted)).toBe(true)
    await dying.stop()
    await settledIn()
    const sinceMs = world.clock.monotonicMs()
    await soon(async () => expect(await count("delivery where status = 'delivered'")).toBe(6), 500)
    const afterMs = world.clock.monotonicMs() - sinceMs
    expect(afterMs).toBeGreaterThanOrEqual(27_000)
    expect(afterMs).toBeLessThan(60_000)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(6)
    expect(receiver.received).toHaveLength(6)
  })

  test('takes no room when its transaction comes to nothing', async () => {
    const receiver = await startReceiver()
    await ruled(acme, receiver.url)
    const { stage } = await settledIn()
    const mentions = await mentioned(16)
    for (let times = 0; times < 5; times += 1) {
      const intake = stage.begin()
      const scores = mentions.map((mention) => ({ mention: mention, verdict: VERDICT, authorKeys: [] }))
      const lost = world.db.transaction(async (tx) => {
        await recordScores(tx, scores, { at: world.clock.now(), metered: true, admission: intake })
        throw new Error('lost')
      })
      await expect(lost).rejects.toThrow('lost')
      intake.abandon()
    }
    const made = await scoredInto(stage, mentions)
    expect(made.every(({ admitted }) => admitted)).toBe(true)
    await soon(async () => expect(await count("delivery where status = 'delivered'")).toBe(16))
    expect(receiver.received).toHaveLength(16)
  })

  test('is sent again under its id when the result cannot be written down, and the others of its group are not', async () => {
    const receiver = await startReceiver()
    const channelId = await channelAt(receiver.url)
    await due(20)
    const ids = (await rows(channelId)).map(({ id }) => id)
    let broken = true
    const db: Database = {
      ...world.db,
      transaction: (work) =>
        world.db.transaction((tx) => {
          const run: typeof tx.run = (name, text, values) =>
            broken &&
            name === 'settle-deliveries' &&
            (values[1] as Buffer).includes(Buffer.from(ids[3]!.replaceAll('-', ''), 'hex'))
              ? Promise.reject(new Error('no room'))
              : tx.run(name, text, values)
          return work({ ...tx, run })
        }),
    }
    run({ db })
    await soon(async () => expect(await count("delivery where status = 'delivered'")).toBe(19))
    broken = false
    await soon(async () => expect(await count("delivery where status = 'delivered'")).toBe(20), 500)
    const times = new Map<string, number>()
    for (const { headers } of receiver.received)
      times.set(String(headers['webhook-id']), (times.get(String(headers['webhook-id'])) ?? 0) + 1)
    expect([...times].filter(([, n]) => n > 1)).toEqual([[toId('dlv', ids[3]!), 2]])
  })

  test('arrives once each also when the queue turns to another part again and again in the middle', async () => {
    const receiver = await startReceiver()
    await ruled(acme, receiver.url)
    const { stage } = await settledIn()
    const mentions = await mentioned(300)
    let done = false
    const turning = (async () => {
      while (!done) await rotateOutbox(world.db, { turnAtBytes: 0 })
    })()
    for (let begin = 0; begin < mentions.length; begin += 50) await scoredInto(stage, mentions.slice(begin, begin + 50))
    await soon(async () => expect(await count("delivery where status = 'delivered' and attempts = 1")).toBe(300))
    done = true
    await turning
    expect(receiver.received).toHaveLength(300)
    expect(await count('delivery_queue')).toBe(0)
  })

  test('reaches a healthy channel at once however many others of the same address hang', async () => {
    const gate = await startGate()
    for (let number = 0; number < 12; number += 1) await channelAt(`${gate.url}/${number}`)
    await due(8)
    const { stage } = await settledIn()
    // More than a pool of 32 connections would have left for anybody else.
    await soon(() => expect(gate.waiting).toHaveLength(96), 0)
    const healthy = await channelAt(`${gate.url}/healthy`)
    await due(1, stage)
    await soon(() => expect(gate.received.some(({ path }) => path.endsWith('/healthy'))).toBe(true), 0)
    expect((await rows(healthy)).map(({ status }) => status)).toEqual(['pending'])
  })
})

describe('an attempt', () => {
  test('that made no request is counted with its outcome and not with a duration', async () => {
    const receiver = await startReceiver()
    const channelId = await channelAt(receiver.url)
    await due(2)
    await changeChannel(world, channelId, { enabled: false })
    const metrics = createMetrics()
    const { stage } = run({ metrics })
    await soon(async () =>
      expect((await rows(channelId)).map(({ status }) => status)).toEqual(['cancelled', 'cancelled']),
    )
    expect(await renderMetrics(metrics)).not.toMatch(/earshot_delivery_seconds_count\{[^}]*\} [1-9]/)
    await changeChannel(world, channelId, { enabled: true })
    await due(1, stage)
    await soon(async () => expect(await count("delivery where status = 'delivered'")).toBe(1))
    expect(await renderMetrics(metrics)).toMatch(/earshot_delivery_seconds_count\{[^}]*\} 1\n/)
  })

  test('leaves nothing in the log of what was sent or where to: those that delivered are counted together, the others have a line each', async () => {
    const receiver = await startReceiver()
    const { channelId, secret } = await ruled(acme, receiver.url)
    const lines: string[] = []
    const { stage } = await settledIn({ log: createLog('info', { write: (line: string) => void lines.push(line) }) })
    const told = (wanted: string) =>
      lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ event }) => event === wanted)
    await scoredInto(stage, await mentioned(1))
    await soon(() =>
      expect(told('delivery.recorded')).toMatchObject([{ deliveries: 1, delivered: 1, ms: expect.any(Number) }]),
    )
    expect(told('delivery.attempted')).toEqual([])
    receiver.play({ kind: 'answers', status: 500 })
    const [made] = await scoredInto(stage, await mentioned(1))
    await soon(() => expect(told('delivery.recorded')).toHaveLength(2))
    expect(told('delivery.recorded')[1]).toMatchObject({ deliveries: 1, retry: 1 })
    expect(told('delivery.attempted')).toMatchObject([
      {
        deliveryId: toId('dlv', made!.deliveryId),
        channelId: toId('dest', channelId),
        channel: 'webhook',
        outcome: 'retry',
        status: 500,
        attempts: 1,
        reason: 'status 500',
      },
    ])
    const all = lines.join('')
    for (const hidden of ['Post 0', String(receiver.port), secret]) expect(all).not.toContain(hidden)
  })
})
