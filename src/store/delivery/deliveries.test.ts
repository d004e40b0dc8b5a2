import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeKeyword, mention, score } from '../../../test/mentions.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { accepted, stored } from '../../../test/world.ts'
import { createAlert } from '../../commands/alerts/create-alert.ts'
import { createChannel } from '../../commands/channels/create-channel.ts'
import { deleteKeyword } from '../../commands/keywords/delete-keyword.ts'
import { type DeliveryState, newDelivery, step, type Trigger } from '../../domain/delivery/lifecycle.ts'
import { DAY_MS, plus, SECOND_MS } from '../../kernel/clock.ts'
import { firstUuidAt, newUuid, toId, type Uuid } from '../../kernel/ids.ts'
import { readMentions } from '../../queries/mentions/read-mentions.ts'
import { deleteAlert } from '../alert/alerts.ts'
import { deleteChannel } from '../channel/channels.ts'
import { type Database, sql, type Transaction } from '../database.ts'
import { recordAccountEvents } from '../workspace/account-events.ts'
import { cancelUnsent } from './cancel-deliveries.ts'
import { type AttemptMade, requestFromBytes } from './delivery-attempts.ts'
import { claimDeliveries, type DeliveryClaim, nextDeliveryDue, releaseDeliveries } from './delivery-claims.ts'
import { type ClaimedDelivery, changedSince, openMentions, readDue } from './due-deliveries.ts'
import { pruneGoneChannels, prunePortion } from './prune-deliveries.ts'
import { releaseAllLeases } from './release-leases.ts'
import { settleDeliveries } from './settle-deliveries.ts'

let start: Date
const world = useWorld()
const acme = useWorkspace(world, 'Acme')
beforeAll(() => {
  start = world.clock.now()
})
beforeEach(async () => {
  await world.db.query(sql`delete from delivery_queue`)
  await world.db.query(sql`delete from delivery`)
  await world.db.query(sql`delete from delivery_attempt`)
  await world.db.query(sql`delete from delivery_unaccepted`)
  // A workspace has only so many of either.
  await world.db.query(sql`delete from alert`)
  await world.db.query(sql`delete from channel`)
})

async function channel(events: 'keyword.capped'[] = []): Promise<Uuid> {
  return stored(
    'dest',
    accepted(await createChannel(acme, { kind: 'webhook', url: 'https://receiver.example/', events })).id,
  )
}

async function makeRule(name: string, channelId: Uuid, event = 'mention.matched'): Promise<Uuid> {
  const rule = { name, mode: 'instant' as const, event, filter: {}, channelIds: [channelId], enabled: true }
  return stored('feed', accepted(await createAlert(acme, rule)).id)
}

/** Writes deliveries down that wait in a channel, due one after the other from `at` on. */
async function waiting(
  channelId: Uuid,
  count: number,
  { at = start, mentionId = null as Uuid | null } = {},
): Promise<ClaimedDelivery[]> {
  const made = Array.from({ length: count }, (_, place) => ({
    workspaceId: acme.workspaceId,
    deliveryId: newUuid(at),
    channelId,
    dueAt: plus(at, place),
  }))
  for (const { workspaceId, deliveryId, dueAt } of made) {
    await world.db.query(sql`insert into delivery (workspace_id, id, channel_id, kind, event, mention_id, status,
        created_at)
      values (${workspaceId}, ${deliveryId}, ${channelId}, 'mention', 'mention.matched', ${mentionId}, 'pending',
        ${at})`)
    await world.db.query(
      sql`insert into delivery_queue (workspace_id, delivery_id, channel_id, due_at)
          values (${workspaceId}, ${deliveryId}, ${channelId}, ${dueAt})`,
    )
  }
  return made.map(({ dueAt: _, ...one }) => one)
}

function turn(change: Partial<DeliveryClaim> = {}) {
  const at = change.at ?? plus(start, SECOND_MS)
  return claimDeliveries(world.db, {
    at,
    leasedUntil: plus(at, 30 * SECOND_MS),
    limit: 100,
    exceptChannels: [],
    perChannel: 100,
    after: null,
    ...change,
  })
}

/** What one claim takes, beginning with the first channel. */
const claim = async (change: Partial<DeliveryClaim> = {}): Promise<ClaimedDelivery[]> => (await turn(change)).deliveries

/** So many deliveries in each channel, written down by the server. */
async function backlog(channels: readonly Uuid[], count: number): Promise<void> {
  await world.db.query(sql`
    with made as (
      insert into delivery (workspace_id, id, channel_id, kind, event, status, created_at)
      select ${acme.workspaceId}, gen_random_uuid(), c, 'mention', 'mention.matched', 'pending', ${start}
        from unnest(${channels}::uuid[]) c, generate_series(1, ${count}::int)
      returning workspace_id, id, channel_id)
    insert into delivery_queue (workspace_id, delivery_id, channel_id, due_at)
      select workspace_id, id, channel_id, ${start} from made`)
}

const leased = (claimed: readonly ClaimedDelivery[], leasedUntil: Date) =>
  claimed.map((delivery) => ({ ...delivery, leasedUntil }))

const ids = (claimed: readonly ClaimedDelivery[]) => claimed.map(({ deliveryId }) => deliveryId).sort()

async function rowOf({ deliveryId }: ClaimedDelivery) {
  const [row] = await world.db.query<Record<string, unknown>>(sql`
    select d.status, d.attempts, d.error, d.response_status, d.sent_at, q.due_at, q.leased_until from delivery d
    left join delivery_queue q on q.workspace_id = d.workspace_id and q.delivery_id = d.id where d.id = ${deliveryId}`)
  return row
}

const FACTS = { jitter: 0, channelEnabled: true, oversized: false, hasReplay: false }

function stateAfter(trigger: Trigger, state: DeliveryState = newDelivery({ mode: 'instant' }, start)): DeliveryState {
  const next = step(state, trigger, FACTS, start)
  if (next.kind !== 'moved') throw new Error(`the trigger came to nothing: ${next.kind}`)
  return next.state
}

/** What a claim gives unless told otherwise. */
const LEASE = 31 * SECOND_MS

const settle = (
  delivery: ClaimedDelivery,
  state: DeliveryState,
  { mentionId = null as Uuid | null, leasedUntil = plus(start, LEASE), attempt = null as AttemptMade | null } = {},
) =>
  world.db.transaction((tx) =>
    settleDeliveries(tx, [
      { workspaceId: delivery.workspaceId, deliveryId: delivery.deliveryId, mentionId, state, leasedUntil, attempt },
    ]),
  )

const ACCEPTED: Trigger = { kind: 'accepted', responseStatus: 204 }
const TEMPORARY: Trigger = { kind: 'temporary_failure', reason: 'busy', responseStatus: 503, retryAfterSeconds: null }
const PERMANENT: Trigger = { kind: 'permanent_failure', reason: 'gone', responseStatus: 410 }

describe('a claim', () => {
  test('takes what is due, each for one claimant until its lease ends', async () => {
    const made = await waiting(await channel(), 10)
    expect(await claim({ at: plus(start, -1) })).toEqual([])
    expect(ids(await claim({ at: plus(start, 4) }))).toEqual(ids(made.slice(0, 5)))
    const rest = await Promise.all([claim(), claim(), claim()])
    expect(ids(rest.flat())).toEqual(ids(made.slice(5)))
    expect(await claim({ at: plus(start, 4 + 30 * SECOND_MS) })).toHaveLength(5)
  })

  test('has the first that are due, and no more than it asks for', async () => {
    const made = await waiting(await channel(), 10)
    expect(ids(await claim({ limit: 3 }))).toEqual(ids(made.slice(0, 3)))
    expect(ids(await claim({ limit: 3 }))).toEqual(ids(made.slice(3, 6)))
  })

  test('has so many of a channel at most, and passes over channels that are full', async () => {
    const [busy, quiet, full] = [await channel(), await channel(), await channel()]
    await waiting(busy, 20)
    await waiting(full, 5, { at: plus(start, -DAY_MS) })
    await waiting(quiet, 2, { at: plus(start, 500) })
    const claimed = await claim({ limit: 10, perChannel: 4, exceptChannels: [full] })
    const counts = [busy, quiet, full].map((id) => claimed.filter(({ channelId }) => channelId === id).length)
    expect(counts).toEqual([4, 2, 0])
  })

  test('brings the fresh delivery of one channel along however much waits for the others', async () => {
    const [busy, quiet] = [await channel(), await channel()]
    await backlog([busy], 5000)
    const [late] = await waiting(quiet, 1, { at: plus(start, 900) })
    const claimed = await claim({ limit: 200, perChannel: 8 })
    expect(claimed.filter(({ channelId }) => channelId === busy)).toHaveLength(8)
    expect(ids(claimed)).toContain(late!.deliveryId)
  })

  test('goes on behind the channel that had its turn last, until all have had theirs', async () => {
    const channels: Uuid[] = []
    for (let made = 0; made < 7; made += 1) channels.push(await channel())
    await backlog(channels, 100)
    const turns: Uuid[][] = []
    let after: Uuid | null = null
    do {
      const { deliveries, next } = await turn({ limit: 4, perChannel: 2, after })
      turns.push([...new Set(deliveries.map(({ channelId }) => channelId))].sort())
      after = next
    } while (after !== null)
    expect(turns).toEqual([channels.slice(0, 2), channels.slice(2, 4), channels.slice(4, 6), channels.slice(6)])
  })

  test('passes over channels that have nothing due, and says when all had their turn', async () => {
    const [ahead, due] = [await channel(), await channel()]
    await waiting(ahead, 3, { at: plus(start, DAY_MS) })
    const [delivery] = await waiting(due, 1)
    expect(await turn()).toEqual({ deliveries: [delivery], next: null, passedOver: [] })
    expect(await turn()).toEqual({ deliveries: [], next: null, passedOver: [] })
  })

  test('that is given back is free at once', async () => {
    const made = await waiting(await channel(), 3)
    const claimed = await claim()
    expect(await claim()).toEqual([])
    await releaseDeliveries(world.db, leased(claimed.slice(0, 2), plus(start, LEASE)))
    await releaseDeliveries(world.db, [])
    expect(await claim()).toHaveLength(2)
    await releaseAllLeases(world.db, plus(start, SECOND_MS))
    expect(ids(await claim())).toEqual(ids(made))
  })
})

describe('whose lease has ended', () => {
  test('does not give back what somebody else has claimed since', async () => {
    const made = await waiting(await channel(), 2)
    const first = await claim()
    const second = await claim({ at: plus(start, LEASE) })
    expect(ids(second)).toEqual(ids(made))
    await releaseDeliveries(world.db, leased(first, plus(start, LEASE)))
    expect(await claim({ at: plus(start, LEASE) })).toEqual([])
    await releaseDeliveries(world.db, leased(second, plus(start, LEASE + 30 * SECOND_MS)))
    expect(ids(await claim({ at: plus(start, LEASE) }))).toEqual(ids(made))
  })

  test('does not put off what somebody else has claimed since, only what nobody has', async () => {
    const [taken] = await waiting(await channel(), 1)
    await claim()
    await claim({ at: plus(start, LEASE) })
    await settle(taken!, stateAfter(TEMPORARY))
    expect(await rowOf(taken!)).toMatchObject({
      status: 'pending',
      attempts: 1,
      due_at: start,
      leased_until: plus(start, LEASE + 30 * SECOND_MS),
    })
    const [free] = await waiting(await channel(), 1)
    await settle(free!, stateAfter(TEMPORARY))
    expect(await rowOf(free!)).toMatchObject({ due_at: plus(start, 30 * SECOND_MS), leased_until: null })
  })
})

test('a claim passes over the channels of workspaces that have their share, and says which', async () => {
  const other = await world.workspace('Other')
  const theirs = stored(
    'dest',
    accepted(await createChannel(other, { kind: 'webhook', url: 'https://receiver.example/', events: [] })).id,
  )
  const [own, mine] = [await channel(), await channel()]
  await waiting(own, 3)
  await waiting(mine, 2)
  const [delivery] = await waiting(theirs, 1)
  await world.db.query(sql`update delivery_queue set workspace_id = ${other.workspaceId} where channel_id = ${theirs}`)
  const { deliveries, next, passedOver } = await turn({ exceptWorkspaces: [acme.workspaceId] })
  expect([ids(deliveries), next, passedOver.sort()]).toEqual([[delivery!.deliveryId], null, [own, mine].sort()])
  expect(await claim()).toHaveLength(5)
})

test('the leases of scores end with those of deliveries', async () => {
  const keyword = await makeKeyword(acme)
  const { mentionId } = await mention(world, keyword)
  await releaseAllLeases(world.db, start)
  const rows = await world.db.query(sql`select leased_until from score_queue where mention_id = ${mentionId}`)
  expect(rows).toEqual([{ leased_until: start }])
})

test('the next due time counts leases, and is null when nothing waits', async () => {
  expect(await nextDeliveryDue(world.db)).toBeNull()
  await waiting(await channel(), 1)
  expect(await nextDeliveryDue(world.db)).toEqual(start)
  await claim()
  expect(await nextDeliveryDue(world.db)).toEqual(plus(start, 31 * SECOND_MS))
  await waiting(await channel(), 1, { at: plus(start, 5 * SECOND_MS) })
  expect(await nextDeliveryDue(world.db)).toEqual(plus(start, 5 * SECOND_MS))
  await waiting(await channel(), 1, { at: plus(start, 500) })
  expect(await nextDeliveryDue(world.db)).toEqual(plus(start, 500))
})

test('what is claimed is read with all that sending takes; what was removed is left out', async () => {
  const id = await channel(['keyword.capped'])
  await world.db.transaction((tx) =>
    recordAccountEvents(tx, [{ workspaceId: acme.workspaceId, event: 'keyword.capped', at: start, data: { a: [1] } }]),
  )
  const claimed = await claim()
  const gone = { workspaceId: acme.workspaceId, deliveryId: newUuid(start), channelId: id }
  expect(await readDue(world.db, [...claimed, gone])).toEqual([
    {
      ...claimed[0],
      kind: 'event',
      event: 'keyword.capped',
      alerts: [],
      mentionId: null,
      data: { a: [1] },
      createdAt: start,
      channel: {
        kind: 'webhook',
        enabled: true,
        settings: expect.stringContaining('"https://receiver.example/"'),
        secretSealed: expect.any(String),
      },
      state: { ...newDelivery({ mode: 'instant' }, start), nextAttemptAt: null },
    },
  ])
})

test('an account event goes to the channels that subscribed to it and are on', async () => {
  const [first, off, second] = [await channel(['keyword.capped']), await channel(['keyword.capped']), await channel()]
  await world.db.query(sql`update channel set enabled = false where id = ${off}`)
  for (const event of ['keyword.capped', 'keyword.resumed'] as const)
    await world.db.transaction((tx) =>
      recordAccountEvents(tx, [{ workspaceId: acme.workspaceId, event, at: start, data: {} }]),
    )
  const rows = await world.db.query<{ channel_id: Uuid; event: string }>(
    sql`select channel_id, event from delivery where channel_id in (${first}, ${off}, ${second})`,
  )
  expect(rows).toEqual([{ channel_id: first, event: 'keyword.capped' }])
  expect(await world.db.query(sql`select channel_id, due_at from delivery_queue where channel_id = ${first}`)).toEqual([
    { channel_id: first, due_at: start },
  ])
})

describe('the result of an attempt', () => {
  test('accepted ends the delivery and marks its mention', async () => {
    const { mentionId } = await mention(world, await makeKeyword(acme))
    const [delivery] = await waiting(await channel(), 1, { mentionId })
    await claim()
    await settle(delivery!, stateAfter(ACCEPTED), { mentionId })
    expect(await rowOf(delivery!)).toEqual({
      status: 'delivered',
      attempts: 1,
      error: null,
      response_status: 204,
      sent_at: start,
      due_at: null,
      leased_until: null,
    })
    expect(await world.db.query(sql`select delivered from mention where id = ${mentionId}`)).toEqual([
      { delivered: true },
    ])
  })

  test('a passing failure makes it due again, free for everybody', async () => {
    const [delivery] = await waiting(await channel(), 1)
    await claim()
    await settle(delivery!, stateAfter(TEMPORARY))
    expect(await rowOf(delivery!)).toEqual({
      status: 'pending',
      attempts: 1,
      error: 'busy',
      response_status: 503,
      sent_at: null,
      due_at: plus(start, 30 * SECOND_MS),
      leased_until: null,
    })
    expect(await claim({ at: plus(start, 30 * SECOND_MS - 1) })).toEqual([])
    expect(await claim({ at: plus(start, 30 * SECOND_MS) })).toHaveLength(1)
  })

  test('a lasting failure ends it', async () => {
    const { mentionId } = await mention(world, await makeKeyword(acme))
    const [delivery] = await waiting(await channel(), 1, { mentionId })
    await settle(delivery!, stateAfter(PERMANENT), { mentionId })
    expect(await rowOf(delivery!)).toMatchObject({
      status: 'failed',
      attempts: 1,
      error: 'gone',
      response_status: 410,
      due_at: null,
    })
    expect(await world.db.query(sql`select delivered from mention where id = ${mentionId}`)).toEqual([
      { delivered: false },
    ])
  })

  test.each([
    ['is accepted all the same', ACCEPTED, 'delivered', null],
    ['fails for now', TEMPORARY, 'cancelled', 'the channel changed'],
    ['fails for good', PERMANENT, 'cancelled', 'the channel changed'],
  ] as const)('that was cancelled on the wire and %s', async (_, trigger, status, error) => {
    const id = await channel()
    const [delivery] = await waiting(id, 1)
    await claim()
    await world.db.transaction((tx) => cancelUnsent(tx, acme.workspaceId, id, 'the channel changed'))
    await settle(delivery!, stateAfter(trigger))
    expect(await rowOf(delivery!)).toMatchObject({ status, error, due_at: null })
    expect(await claim({ at: plus(start, DAY_MS) })).toEqual([])
  })

  test('of many at once, accepted beside cancellations, are all written down', async () => {
    const id = await channel()
    const made = await waiting(id, 60)
    const group = (from: number) =>
      made
        .slice(from, from + 15)
        .reverse()
        .map(({ workspaceId, deliveryId }) => ({
          workspaceId,
          deliveryId,
          mentionId: null,
          state: stateAfter(ACCEPTED),
          leasedUntil: plus(start, LEASE),
          attempt: null,
        }))
    await Promise.all([
      ...[0, 15, 30, 45].map((from) => world.db.transaction((tx) => settleDeliveries(tx, group(from)))),
      ...[1, 2, 3].map(() =>
        world.db.transaction((tx) => cancelUnsent(tx, acme.workspaceId, id, 'the channel changed')),
      ),
    ])
    const rows = await world.db.query(sql`select status, count(*) from delivery group by status`)
    expect(rows).toEqual([{ status: 'delivered', count: 60 }])
    expect(await nextDeliveryDue(world.db)).toBeNull()
  })
})

test('a cancellation leaves what is finished, and other channels, alone', async () => {
  const [id, other] = [await channel(), await channel()]
  const [sent, held, open] = await waiting(id, 3)
  const [elsewhere] = await waiting(other, 1)
  await settle(sent!, stateAfter(ACCEPTED))
  await settle(held!, stateAfter({ kind: 'hold', reason: 'limit' }))
  await world.db.transaction((tx) => cancelUnsent(tx, acme.workspaceId, id, 'switched off'))
  expect(
    await Promise.all([sent!, held!, open!, elsewhere!].map(async (delivery) => (await rowOf(delivery))?.['status'])),
  ).toEqual(['delivered', 'cancelled', 'cancelled', 'pending'])
})

describe('whoever removes', () => {
  /**
   * Holds a place in the queue, lets `remove` wait for it, and takes what whoever holds such a place goes on to want.
   */
  async function behindTheQueue(
    delivery: ClaimedDelivery,
    remove: (tx: Transaction) => Promise<boolean>,
    wanted: (tx: Transaction) => Promise<unknown[]>,
  ) {
    let removing: Promise<boolean> | undefined
    await world.db.transaction(async (tx) => {
      await tx.query(sql`select from delivery_queue where delivery_id = ${delivery.deliveryId} for update`)
      removing = world.db.transaction(remove)
      for (let waiting: unknown[] = []; waiting.length === 0; )
        waiting = await world.db.query(
          sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
      expect(await wanted(tx)).toHaveLength(1)
    })
    expect(await removing).toBe(true)
  }

  test('a channel waits for results that are written down without holding their deliveries', async () => {
    const id = await channel()
    const [delivery] = await waiting(id, 1)
    await behindTheQueue(
      delivery!,
      (tx) => deleteChannel(tx, acme.workspaceId, id),
      (tx) => tx.query(sql`select 1 from delivery where id = ${delivery!.deliveryId} for update nowait`),
    )
    expect(await rowOf(delivery!)).toMatchObject({
      status: 'cancelled',
      error: 'the channel was removed',
      due_at: null,
    })
  })

  test('a rule waits for results that are written down without holding the rule', async () => {
    const id = await channel()
    const [delivery] = await waiting(id, 1)
    const rule = await makeRule('Gone', id)
    await world.db.query(sql`update delivery set alert_id = ${rule} where id = ${delivery!.deliveryId}`)
    await behindTheQueue(
      delivery!,
      (tx) => deleteAlert(tx, acme.workspaceId, rule),
      (tx) => tx.query(sql`select 1 from alert where id = ${rule} for update nowait`),
    )
    expect(await rowOf(delivery!)).toMatchObject({ status: 'cancelled', error: 'the rule was removed', due_at: null })
  })
})

test('the removal of a rule cancels what waits for it, and what sends by other rules goes on', async () => {
  const [id, keyword] = [await channel(), await makeKeyword(acme)]
  const [gone, kept] = [await makeRule('Gone', id), await makeRule('Kept', id, 'mention.question')]
  await score(world, [await mention(world, keyword)])
  expect(await world.db.transaction((tx) => deleteAlert(tx, acme.workspaceId, gone))).toBe(true)
  expect(await world.db.transaction((tx) => deleteAlert(tx, acme.workspaceId, gone))).toBe(false)
  const rows = await world.db.query(sql`
    select d.alert_id, d.status, q.delivery_id is not null as queued from delivery d left
      join delivery_queue q on q.delivery_id = d.id where d.channel_id = ${id} order by d.alert_id`)
  expect(rows).toEqual([
    { alert_id: gone, status: 'cancelled', queued: false },
    { alert_id: kept, status: 'pending', queued: true },
  ])
})

test('the removal of a keyword cancels what waits for its mentions', async () => {
  const keyword = await makeKeyword(acme)
  const { mentionId } = await mention(world, keyword)
  const [delivery] = await waiting(await channel(), 1, { mentionId })
  accepted((await deleteKeyword(acme, keyword.uuid)) ?? null)
  expect(await rowOf(delivery!)).toMatchObject({ status: 'cancelled', error: 'the keyword was removed', due_at: null })
})

test('a cancellation finds what waits, what is in hand and what is held, in portions', async () => {
  const [id, other] = [await channel(), await channel()]
  await backlog([id, other], 10_500)
  const inHand = await claim({ limit: 50, perChannel: 25 })
  const [held] = await waiting(id, 1)
  await settle(held!, stateAfter({ kind: 'hold', reason: 'limit' }))
  await world.db.transaction((tx) => cancelUnsent(tx, acme.workspaceId, id, 'switched off'))
  const counts = await world.db.query(sql`
    select d.channel_id = ${id} as own, d.status, count(q.delivery_id) as queued, count(*) from delivery d
    left join delivery_queue q on q.workspace_id = d.workspace_id and q.delivery_id = d.id group by 1, 2 order by 1, 2`)
  expect(counts).toEqual([
    { own: false, status: 'pending', queued: 10_500, count: 10_500 },
    { own: true, status: 'cancelled', queued: 0, count: 10_501 },
  ])
  expect(inHand).toHaveLength(50)
  expect(await world.db.query(sql`select 1 from delivery_held`)).toEqual([])
})

test('the log of a removed channel goes in portions, with the next tidying up, however young it is', async () => {
  const [gone, kept] = [await channel(), await channel()]
  await backlog([gone], 6000)
  const [delivery] = await waiting(kept, 1)
  expect(await world.db.transaction((tx) => deleteChannel(tx, acme.workspaceId, gone))).toBe(true)
  expect(await world.db.transaction((tx) => deleteChannel(tx, acme.workspaceId, gone))).toBe(false)
  expect(await world.db.query(sql`select status, count(*) from delivery group by status order by status`)).toEqual([
    { status: 'cancelled', count: 6000 },
    { status: 'pending', count: 1 },
  ])
  expect((await acme.api('GET', `/v1/channels/${toId('dest', gone)}/deliveries`)).status).toBe(404)
  expect(await pruneGoneChannels(world.db)).toBe(6000)
  expect(await world.db.query(sql`select id from delivery`)).toEqual([{ id: delivery!.deliveryId }])
})

describe('the attempts in the log', () => {
  const madeAt = (body: string, outcome: AttemptMade['outcome'] = 'delivered'): AttemptMade => ({
    at: start,
    durationMs: 12,
    outcome,
    request: { headers: { 'X-A': 'b: c' }, body },
    responseExcerpt: 'ok',
  })
  const attemptsOf = async (delivery: ClaimedDelivery) =>
    (
      await world.db.query<{ number: number; outcome: string; request: Buffer | null }>(
        sql`select number, outcome, request from delivery_attempt where delivery_id = ${delivery.deliveryId}
            order by number`,
      )
    ).map(({ number, outcome, request }) => [number, outcome, request && requestFromBytes(request).body])

  test('of many deliveries at once each get their own request, byte for byte, those without one none', async () => {
    const made = await waiting(await channel(), 30)
    const bodies = made.map((_, number) => (number % 7 === 3 ? null : 'é🦊\n"{\\'.repeat(number * 40)))
    const settled = made.map(({ workspaceId, deliveryId }, number) => {
      const attempt = bodies[number] === null ? { ...madeAt(''), request: null } : madeAt(bodies[number]!)
      return {
        workspaceId,
        deliveryId,
        mentionId: null,
        state: stateAfter(ACCEPTED),
        leasedUntil: plus(start, LEASE),
        attempt,
      }
    })
    await world.db.transaction((tx) => settleDeliveries(tx, settled.toReversed()))
    for (const [number, delivery] of made.entries())
      expect(await attemptsOf(delivery)).toEqual([[1, 'delivered', bodies[number]]])
  })

  test('of two who made the same attempt the first is told, unless only the second was accepted', async () => {
    const [delivery] = await waiting(await channel(), 1)
    await settle(delivery!, stateAfter(TEMPORARY), { attempt: madeAt('first', 'temporary_failure') })
    await settle(delivery!, stateAfter(PERMANENT), { attempt: madeAt('second', 'permanent_failure') })
    expect(await attemptsOf(delivery!)).toEqual([[1, 'temporary_failure', 'first']])
    expect(await rowOf(delivery!)).toMatchObject({ status: 'pending', attempts: 1 })
    await settle(delivery!, stateAfter(ACCEPTED), { attempt: madeAt('third') })
    expect(await attemptsOf(delivery!)).toEqual([[1, 'delivered', 'third']])
    expect(await rowOf(delivery!)).toMatchObject({ status: 'delivered', due_at: null })
  })

  test('are counted by a retry, also one that came too late to be counted before', async () => {
    const [delivery] = await waiting(await channel(), 1)
    await settle(delivery!, stateAfter({ kind: 'hold', reason: 'limit' }))
    await settle(delivery!, stateAfter(TEMPORARY), { attempt: madeAt('late', 'temporary_failure') })
    expect(await rowOf(delivery!)).toMatchObject({ status: 'held', attempts: 0 })
    expect(
      (await acme.api('POST', `/v1/deliveries/${toId('dlv', delivery!.deliveryId)}/retry`, { requestId: randomUUID() }))
        .status,
    ).toBe(202)
    const [due] = await readDue(world.db, [delivery!])
    expect(due!.state).toMatchObject({ attempts: 1, attemptLimit: 6 })
    await settle(delivery!, stateAfter(ACCEPTED, due!.state), { attempt: madeAt('again') })
    expect(await attemptsOf(delivery!)).toEqual([
      [1, 'temporary_failure', 'late'],
      [2, 'delivered', 'again'],
    ])
    expect(await rowOf(delivery!)).toMatchObject({ status: 'delivered', attempts: 2, due_at: null })
  })

  test('of two that are written down in the same moment leave a place in the queue to what is to be tried again', async () => {
    const [delivery] = await waiting(await channel(), 1)
    await claim({ at: start, leasedUntil: plus(start, LEASE) })
    await claim({ at: plus(start, LEASE), leasedUntil: plus(start, 2 * LEASE) })
    let late: Promise<void> | undefined
    await world.db.transaction(async (tx) => {
      const { workspaceId, deliveryId } = delivery!
      const attempt = madeAt('by the second', 'temporary_failure')
      await settleDeliveries(tx, [
        {
          workspaceId,
          deliveryId,
          mentionId: null,
          state: stateAfter(TEMPORARY),
          leasedUntil: plus(start, 2 * LEASE),
          attempt,
        },
      ])
      late = settle(delivery!, stateAfter(PERMANENT), { attempt: madeAt('by the first', 'permanent_failure') })
      for (let waits = 0; waits === 0; )
        waits = (
          await world.db.query(
            sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
        ).length
    })
    await late
    expect(await rowOf(delivery!)).toMatchObject({
      status: 'pending',
      attempts: 1,
      due_at: stateAfter(TEMPORARY).nextAttemptAt,
      leased_until: null,
    })
    expect(await attemptsOf(delivery!)).toEqual([[1, 'temporary_failure', 'by the second']])
  })

  test('are told once, and nothing stays in the queue, when its place is in a part that was left meanwhile', async () => {
    const [left, refused] = await waiting(await channel(), 2)
    const turnTo = async (era: number) => {
      await world.db.query(sql`update delivery_era set current = false where current`)
      await world.db.query(sql`update delivery_era set current = true, open = true where era = ${era}`)
    }
    const [before] = await world.db.query<{ era: number }>(sql`select era from delivery_era where current`)
    await turnTo((before!.era + 1) % 4)
    const [fresh] = await waiting(await channel(), 1)
    const wanted = [left!, refused!, fresh!].map((delivery) => {
      const [trigger, outcome] =
        delivery === refused ? ([PERMANENT, 'permanent_failure'] as const) : ([ACCEPTED, 'delivered'] as const)
      return { one: delivery, outcome, state: stateAfter(trigger) }
    })
    const settled = wanted.map(({ one: { workspaceId, deliveryId }, outcome, state }) => {
      return {
        workspaceId,
        deliveryId,
        mentionId: null,
        state,
        leasedUntil: plus(start, LEASE),
        attempt: madeAt(deliveryId, outcome),
      }
    })
    await world.db.transaction((tx) => settleDeliveries(tx, settled))
    await turnTo(before!.era)
    for (const { one, outcome, state } of wanted) {
      expect(await rowOf(one)).toMatchObject({ status: state.status, attempts: 1, due_at: null })
      expect(await attemptsOf(one)).toEqual([[1, outcome, one.deliveryId]])
    }
  })

  test('go with their delivery when the log is tidied up, and with its channel', async () => {
    const [kept, gone] = [await channel(), await channel()]
    const [young] = await waiting(kept, 1)
    const [old] = await waiting(kept, 1, { at: plus(start, -31 * DAY_MS) })
    const [left] = await waiting(gone, 1)
    for (const delivery of [young!, old!, left!]) await settle(delivery, stateAfter(ACCEPTED), { attempt: madeAt('x') })
    // Ids of one process only grow, so the old one is given the time that it is taken to be from.
    await world.db.query(
      sql`update delivery set id = '01900000-0000-7000-8000-000000000001' where id = ${old!.deliveryId}`,
    )
    await world.db.query(
      sql`update delivery_attempt set delivery_id = '01900000-0000-7000-8000-000000000001'
          where delivery_id = ${old!.deliveryId}`,
    )
    await world.db.transaction((tx) => deleteChannel(tx, acme.workspaceId, gone))
    await prunePortion(world.db, { workspaceId: acme.workspaceId, before: firstUuidAt(plus(start, -30 * DAY_MS)) })
    await pruneGoneChannels(world.db)
    expect(await world.db.query(sql`select delivery_id from delivery_attempt`)).toEqual([
      { delivery_id: young!.deliveryId },
    ])
  })
})

test('the log forgets what is not to be sent any more and old, and nothing else', async () => {
  const id = await channel()
  const [young] = await waiting(id, 1)
  await settle(young!, stateAfter(ACCEPTED))
  // More than one portion; the ids carry a time long ago.
  await world.db.query(sql`
    insert into delivery (workspace_id, id, channel_id, kind, event, status, created_at)
    select ${acme.workspaceId}, ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, ${id}, 'event', 'x',
      case when n <= 3 then 'pending' when n <= 5 then 'held' else
      (array['delivered', 'failed', 'cancelled'])[1 + n % 3] end, ${start} from generate_series(1, 6000) n`)
  const [cancelled] = await waiting(id, 1)
  await settle(cancelled!, stateAfter({ kind: 'cancel', reason: 'not wanted' }))
  await world.db.query(sql`
    insert into delivery_unaccepted select workspace_id, status, id from delivery where status in ('failed', 'cancelled')
      on conflict do nothing`)
  const old = { workspaceId: acme.workspaceId, before: firstUuidAt(plus(start, -30 * DAY_MS)) }
  expect(await prunePortion(world.db, old)).toEqual({ removed: 5000, more: true })
  expect(await prunePortion(world.db, old)).toEqual({ removed: 997, more: false })
  const left = await world.db.query(sql`select status, count(*) from delivery group by status order by status`)
  expect(left).toEqual([
    { status: 'cancelled', count: 1 },
    { status: 'delivered', count: 1 },
    { status: 'pending', count: 3 },
  ])
  expect(await world.db.query(sql`select delivery_id from delivery_unaccepted`)).toEqual([
    { delivery_id: cancelled!.deliveryId },
  ])
})

describe('by a plan that was made when there was nothing', () => {
  const fresh = useWorld()

  /** The plan for any parameters of the statement of this name that `asking` runs. */
  async function planOf(name: string, asking: (db: Database) => Promise<unknown>): Promise<string> {
    const plans: string[] = []
    const planning = (tx: Transaction): Transaction => ({
      ...tx,
      async run<Row>(asked: string, text: string, values: readonly unknown[]) {
        if (asked === name) plans.push(await planFor(tx, text, values))
        return await tx.run<Row>(asked, text, values)
      },
    })
    const transaction: Database['transaction'] = (work) => fresh.db.transaction((tx) => work(planning(tx)))
    const run: Database['run'] = (...asked) => transaction((tx) => tx.run(...asked))
    await asking({ ...fresh.db, transaction, run })
    return plans.join('\n')
  }

  async function planFor(tx: Transaction, text: string, values: readonly unknown[]): Promise<string> {
    await tx.query(sql`set local plan_cache_mode = force_generic_plan`)
    await tx.query(sql`prepare asked as ${sql.raw(text)}`)
    // Which parts are open is a list of numbers; without them the plan that is shown has none.
    const given = values.map((value) => (typeof value === 'number' ? value : 'null')).join(', ')
    const lines = await tx.query<{ 'QUERY PLAN': string }>(sql`explain execute asked (${sql.raw(given)})`)
    await tx.query(sql`deallocate asked`)
    await tx.query(sql`set local plan_cache_mode = auto`)
    return lines.map((line) => line['QUERY PLAN']).join('\n')
  }

  const item = {
    workspaceId: newUuid(new Date(0)),
    deliveryId: newUuid(new Date(0)),
    channelId: newUuid(new Date(0)),
    mentionId: newUuid(new Date(0)),
  }

  test('what has changed is looked up delivery by delivery', async () => {
    const plan = await planOf('due-changed', (db) => changedSince(db, []))
    expect(plan).toMatch(/Index Scan using \S+ on delivery d/)
    expect(plan).not.toMatch(/hashed SubPlan|Seq Scan on delivery/)
  })

  test('what was claimed is read delivery by delivery and mention by mention', async () => {
    const due = await planOf('read-due', (db) => readDue(db, [item]))
    expect(due).toMatch(/Index Scan using \S+ on delivery d/)
    expect(due).not.toMatch(/Seq Scan on (delivery|channel|alert)/)
    for (const plan of [
      await planOf('open-mentions', (db) => openMentions(db, [item])),
      await planOf('mentions-by-id', (db) => readMentions(db, [item], start)),
    ]) {
      expect(plan).toMatch(/Index Scan using \S+ on mention_0/)
      expect(plan).not.toMatch(/Seq Scan on mention/)
    }
  })

  test('channels are stepped through and places are found in the order of the index', async () => {
    const plan = await planOf('claim-deliveries', (db) =>
      claimDeliveries(db, { at: start, leasedUntil: start, limit: 1, exceptChannels: [], perChannel: 1, after: null }),
    )
    expect(plan).toMatch(/Index Scan using delivery_queue_0_channel_id_due_at_idx/)
    expect(plan).not.toMatch(/Bitmap|Seq Scan on delivery_queue/)
  })

  test('results find their places in the order in which they are given', async () => {
    const settled = { ...item, mentionId: null, state: stateAfter(ACCEPTED), leasedUntil: start, attempt: null }
    const plan = await planOf('settle-deliveries', (db) => db.transaction((tx) => settleDeliveries(tx, [settled])))
    const [, deleting] = plan.split('CTE gone')
    expect(deleting).toMatch(/Nested Loop[^>]+->\s+CTE Scan on t/)
    expect(plan).not.toMatch(/Hash Join|Merge Join|Seq Scan on deliver/)
  })
})
