import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeKeyword, mention, score, type TestKeyword } from '../../../test/mentions.ts'
import { empty } from '../../../test/rows.ts'
import { useWorld } from '../../../test/use-world.ts'
import { stored, type TestWorkspace } from '../../../test/world.ts'
import { nextRunAfter } from '../../domain/alert/schedule.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, plus, SECOND_MS } from '../../kernel/clock.ts'
import { firstUuidAt, fromId, newUuid, toId, type Uuid } from '../../kernel/ids.ts'
import { readDueRules } from '../../store/alert/digests.ts'
import { type Database, DatabaseUnavailable, sql, type Transaction } from '../../store/database.ts'
import { sendDigests } from './send-digests.ts'

let acme: TestWorkspace
let keyword: TestKeyword
const world = useWorld()
beforeEach(async () => {
  // Rules of the test before are not due again.
  await empty(world, 'alert')
  acme = await world.workspace('Acme')
  keyword = await makeKeyword(acme)
  // Ids never go back in time within a process, so each test has days of its own. It calls the first of them the 20th.
  passed += 7 * DAY_MS
  at('2026-11-20T08:00:00.000Z')
})

/** How far the days of this test are from what it calls them. */
let passed = 0
const at = (time: string) => world.clock.set(plus(new Date(time), passed))
const called = (time: Date) => plus(time, -passed).toISOString()
const calledDay = (period: string) => period.replace(/\d{4}-\d\d-\d\d/, (day) => called(new Date(day)).slice(0, 10))

const NINE = { hour: 9, minute: 0, timezone: 'UTC', skipEmpty: false, weekday: null }

async function channel(): Promise<string> {
  return (await acme.api('POST', '/v1/channels', { kind: 'webhook', url: `https://receiver.example/${randomUUID()}` }))
    .body.id
}

async function rule(more: object = {}): Promise<string> {
  const { status, body } = await acme.api('POST', '/v1/alerts', {
    name: 'Digest',
    mode: 'daily',
    schedule: NINE,
    channelIds: [await channel()],
    ...more,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.id
}

const hourly = (more: object = {}) => rule({ mode: 'hourly', schedule: null, ...more })

interface Sent {
  id: Uuid
  alert_id: Uuid
  channel_id: Uuid
  status: string
  mode: string
  period: string
  dueAt: string
  data: { period: { from: string; to: string }; counts: { matched: number; relevant: number }; top: { id: string }[] }
}

async function sent(): Promise<Sent[]> {
  const rows = await world.db.query<Omit<Sent, 'dueAt'> & { digest_due_at: Date }>(
    sql`select id, alert_id, channel_id, status, mode, period, digest_due_at, data from delivery
        where workspace_id = ${acme.workspaceId} and kind = 'digest' order by id`,
  )
  return rows.map((row) => {
    const { from, to } = row.data.period
    const period = { ...row.data.period, from: called(new Date(from)), to: called(new Date(to)) }
    return { ...row, period: calledDay(row.period), dueAt: called(row.digest_due_at), data: { ...row.data, period } }
  })
}

const periods = async () => (await sent()).map(({ period }) => period)
const run = () => sendDigests(world.services)
const nextRunOf = async (id: string) =>
  called(new Date((await acme.api('GET', `/v1/alerts/${id}`)).body.stats.nextRunAt))

async function scored(change = {}): Promise<string> {
  const made = await mention(world, keyword)
  await score(world, [made], change)
  return toId('mtn', made.mentionId)
}

describe('a rule that is due', () => {
  test('sends its digest to each of its channels once, whoever comes and however often, and has its next run', async () => {
    const channelIds = [await channel(), await channel()]
    const id = await rule({ channelIds, event: 'my.digest' })
    const told = await scored()
    at('2026-11-20T08:59:59.999Z')
    expect(await run()).toBe(0)
    at('2026-11-20T09:00:20.000Z')
    expect((await Promise.all([run(), run(), run()])).reduce((sum, value) => sum + value, 0)).toBe(1)
    expect(await run()).toBe(0)
    const deliveries = await sent()
    expect(deliveries.map((delivery) => toId('dest', delivery.channel_id))).toEqual(channelIds)
    for (const delivery of deliveries) {
      expect(delivery).toMatchObject({
        alert_id: stored('feed', id),
        status: 'pending',
        mode: 'daily',
        period: '2026-11-20',
        dueAt: '2026-11-20T09:00:00.000Z',
      })
      expect(delivery.data.period).toEqual({
        mode: 'daily',
        from: '2026-11-20T08:00:00.000Z',
        to: '2026-11-20T09:00:00.000Z',
        timezone: 'UTC',
      })
      expect(delivery.data.top.map((shown) => shown.id)).toEqual([told])
    }
    const queued = await world.db.query(
      sql`select delivery_id from delivery_queue where workspace_id = ${acme.workspaceId} order by 1`,
    )
    expect(queued).toEqual(deliveries.map((delivery) => ({ delivery_id: delivery.id })))
    expect(await nextRunOf(id)).toBe('2026-11-21T09:00:00.000Z')
  })

  test('leaves nothing behind when its transaction fails at any statement, and sends once afterwards', async () => {
    await rule({ channelIds: [await channel(), await channel()] })
    await scored()
    const before = world.logged.length
    const progress = () => world.db.query(sql`select * from digest_progress where workspace_id = ${acme.workspaceId}`)
    const begun = await progress()
    let crashes = 0
    for (let statement = 1; ; statement += 1) {
      // What failed is tried again a minute later.
      at(`2026-11-20T09:${String(statement - 1).padStart(2, '0')}:00.000Z`)
      const { db, reached } = failingAt(statement)
      await sendDigests({ ...world.services, db })
      if (!reached()) break
      crashes += 1
      expect(await sent()).toEqual([])
      expect(await progress()).toEqual(begun)
    }
    expect(crashes).toBeGreaterThan(8)
    expect(world.logged.slice(before).filter(({ event }) => event === 'digest.failed')).toHaveLength(crashes)
    expect((await sent()).map(({ data }) => data.counts.matched)).toEqual([1, 1])
  })

  test('and cannot be made does not keep the others waiting, and is tried again until it is too late for it', async () => {
    const [bad, good] = [await rule(), await rule()]
    await world.db.query(sql`update alert set filter = '{"keywordIds": ["none"]}' where id = ${stored('feed', bad)}`)
    at('2026-11-20T09:00:00.000Z')
    expect(await run()).toBe(1)
    expect((await sent()).map(({ alert_id }) => toId('feed', alert_id))).toEqual([good])
    await world.db.query(sql`update alert set filter = '{}' where id = ${stored('feed', bad)}`)
    at('2026-11-20T09:01:00.000Z')
    expect(await run()).toBe(1)
    expect((await sent()).map(({ alert_id }) => toId('feed', alert_id))).toEqual([good, bad])
  })

  test('is left to its next turn when the database goes away, and no other rule is asked of it meanwhile', async () => {
    await rule()
    await rule()
    await rule()
    await rule()
    at('2026-11-20T09:00:00.000Z')
    let asked = 0
    const away = () => Promise.reject(new DatabaseUnavailable(new Error('gone')))
    const transaction = () => {
      asked += 1
      return away()
    }
    const query: Database['query'] = (statement) => (asked === 0 ? world.db.query(statement) : away())
    await expect(sendDigests({ ...world.services, db: { ...world.db, transaction, query } })).rejects.toThrow(
      DatabaseUnavailable,
    )
    // Those that were asked for at the same moment.
    expect(asked).toBe(3)
    expect(await run()).toBe(4)
  })

  test('and takes longer than the database waits for does not keep the others waiting, whoever they are of', async () => {
    const slow = stored('feed', await rule())
    const own = stored('feed', await rule())
    acme = await world.workspace('Other')
    const others = stored('feed', await rule())
    const db: Database = {
      ...world.db,
      transaction: (work) =>
        world.db.transaction((tx) =>
          work({
            ...tx,
            async query(statement) {
              const rows = await tx.query(statement)
              if ((rows[0] as { id?: Uuid } | undefined)?.id === slow)
                throw new DatabaseUnavailable(new Error('Query read timeout'))
              return rows
            },
          }),
        ),
    }
    const tried = () => readDueRules(world.db, world.clock.now(), 10)
    at('2026-11-20T09:00:00.000Z')
    expect((await tried()).map(({ id }) => id)).toEqual([slow, others, own])
    expect(await sendDigests({ ...world.services, db })).toBe(2)
    expect(await tried()).toEqual([])
    at('2026-11-20T09:01:00.000Z')
    expect((await tried()).map(({ id }) => id)).toEqual([slow])
    expect(await run()).toBe(1)
  })

  test('and is one of very many comes to its turn', async () => {
    const id = stored('feed', await rule())
    await world.db.query(sql`
      insert into alert (workspace_id, id, name, enabled, mode, event, filter, schedule, next_run_at, created_at)
      select workspace_id, gen_random_uuid(), name, enabled, mode, event, filter, schedule, next_run_at, created_at
        from alert, generate_series(1, 204) where id = ${id}`)
    at('2026-11-20T09:00:00.000Z')
    expect(await run()).toBe(205)
    expect(await run()).toBe(0)
    expect(await periods()).toEqual(['2026-11-20'])
  })
})

describe('who comes late', () => {
  test.each([
    [
      'within six hours sends the digest of the day',
      '2026-11-20T15:00:00.000Z',
      ['2026-11-20'],
      '2026-11-21T09:00:00.000Z',
    ],
    ['after that sends none', '2026-11-20T15:00:00.001Z', [], '2026-11-21T09:00:00.000Z'],
    [
      'by days sends that of the last day alone',
      '2026-11-24T09:05:00.000Z',
      ['2026-11-24'],
      '2026-11-25T09:00:00.000Z',
    ],
  ])('%s', async (_, time, names, next) => {
    const id = await rule()
    at(time)
    await run()
    expect(await periods()).toEqual(names)
    expect(await nextRunOf(id)).toBe(next)
  })

  test('to the digest of an hour sends that of the last hour alone, which tells of the hours before too, and its time for attempts has begun', async () => {
    await hourly()
    await scored()
    at('2026-11-20T11:30:00.000Z')
    await scored()
    at('2026-11-20T13:04:00.000Z')
    await run()
    expect(await sent()).toMatchObject([
      { period: 'h:2026-11-20T11', dueAt: '2026-11-20T12:05:00.000Z', data: { counts: { matched: 2 } } },
    ])
  })
})

describe('nothing is sent', () => {
  test('to a channel that is switched off, and what it would have been told is not told to it later', async () => {
    const [on, off] = [await channel(), await channel()]
    await rule({ channelIds: [on, off] })
    await acme.api('PATCH', `/v1/channels/${off}`, { enabled: false })
    await scored()
    at('2026-11-20T09:00:00.000Z')
    await run()
    expect((await sent()).map((sent) => toId('dest', sent.channel_id))).toEqual([on])
    await acme.api('PATCH', `/v1/channels/${off}`, { enabled: true })
    at('2026-11-21T09:00:00.000Z')
    await run()
    expect((await sent()).map((sent) => [toId('dest', sent.channel_id), sent.data.counts.matched])).toEqual([
      [on, 1],
      [on, 0],
      [off, 0],
    ])
  })

  test('through a channel that is switched off after the digest was written down', async () => {
    const off = await channel()
    await rule({ channelIds: [off] })
    at('2026-11-20T09:00:00.000Z')
    await run()
    await acme.api('PATCH', `/v1/channels/${off}`, { enabled: false })
    expect((await sent()).map(({ status }) => status)).toEqual(['cancelled'])
  })

  test('by a rule whose channels are all off, or that has none; it tells of that time once it has one', async () => {
    const only = await channel()
    const [off, none] = [await rule({ channelIds: [only] }), await rule({ channelIds: [] })]
    await acme.api('PATCH', `/v1/channels/${only}`, { enabled: false })
    const told = await scored()
    at('2026-11-20T09:00:00.000Z')
    expect(await run()).toBe(2)
    expect(await sent()).toEqual([])
    for (const id of [off, none]) expect(await nextRunOf(id)).toBe('2026-11-21T09:00:00.000Z')
    await acme.api('PATCH', `/v1/channels/${only}`, { enabled: true })
    at('2026-11-21T09:00:00.000Z')
    expect(await run()).toBe(2)
    expect((await sent()).map(({ data }) => data.top.map((shown) => shown.id))).toEqual([[told]])
  })

  test('by a rule that is switched off or deleted between the look and its turn', async () => {
    const [off, gone] = [await rule(), await rule()]
    at('2026-11-20T09:00:00.000Z')
    let changed: Promise<unknown> | null = null
    const change = async () => {
      await acme.api('PATCH', `/v1/alerts/${off}`, { enabled: false })
      await acme.api('DELETE', `/v1/alerts/${gone}`)
    }
    const db: Database = {
      ...world.db,
      async transaction(work) {
        changed ??= change()
        await changed
        return await world.db.transaction(work)
      },
    }
    expect(await sendDigests({ ...world.services, db })).toBe(0)
    expect(await sent()).toEqual([])
  })

  test.each([
    ['by an hourly rule', { mode: 'hourly', schedule: null }, 0],
    ['by a daily rule that leaves empty ones out', { schedule: { ...NINE, skipEmpty: true } }, 0],
    ['but an empty digest by a daily rule that does not', {}, 1],
  ])('when there is nothing relevant, %s', async (_, more, count) => {
    const id = await rule(more)
    await scored({ relevance: 39 })
    at('2026-11-20T09:05:00.000Z')
    await run()
    expect(await sent()).toHaveLength(count)
    expect(new Date(await nextRunOf(id)) > new Date('2026-11-20T09:05:00.000Z')).toBe(true)
  })

  test('below relevance 40 by mail, whatever the rule asks for, while its other channels are told', async () => {
    const [mail, webhook] = [await channel(), await channel()]
    await world.db.query(
      sql`update channel set kind = 'email' where workspace_id = ${acme.workspaceId} and id = ${stored('dest', mail)}`,
    )
    await rule({ channelIds: [mail, webhook], filter: { minRelevance: 10 }, schedule: { ...NINE, skipEmpty: true } })
    await scored({ relevance: 20 })
    at('2026-11-20T09:00:00.000Z')
    await run()
    expect((await sent()).map((sent) => toId('dest', sent.channel_id))).toEqual([webhook])
    await scored({ relevance: 20 })
    await scored({ relevance: 60 })
    at('2026-11-21T09:00:00.000Z')
    await run()
    const counts = (await sent())
      .slice(1)
      .map((sent) => [toId('dest', sent.channel_id), sent.data.counts.relevant, sent.data.top.length])
    expect(counts).toEqual([
      [mail, 1, 1],
      [webhook, 2, 2],
    ])
  })
})

test('a mention that gets its score after the digest of its hour is in the next', async () => {
  await hourly()
  const [early, late] = [await mention(world, keyword), await mention(world, keyword)]
  await score(world, [early])
  at('2026-11-20T09:05:00.000Z')
  await run()
  at('2026-11-20T09:40:00.000Z')
  await score(world, [late])
  at('2026-11-20T10:05:00.000Z')
  await run()
  expect((await sent()).map(({ data }) => data.top.map(({ id }) => fromId('mtn', id)))).toEqual([
    [early.mentionId],
    [late.mentionId],
  ])
})

test('a score that is committed after the digest of its time is in the next, once', async () => {
  await hourly()
  const [seen, slow] = [await mention(world, keyword), await mention(world, keyword)]
  at('2026-11-20T08:59:30.000Z')
  await score(world, [seen])
  at('2026-11-20T09:05:00.000Z')
  await run()
  await score(world, [slow], {}, { at: plus(world.clock.now(), -6 * MINUTE_MS) })
  for (const time of ['2026-11-20T10:05:00.000Z', '2026-11-20T11:05:00.000Z']) {
    at(time)
    await run()
  }
  expect((await sent()).map(({ data }) => data.top.map(({ id }) => fromId('mtn', id)))).toEqual([
    [seen.mentionId],
    [slow.mentionId],
  ])
})

test('a changed schedule leaves nothing out and tells nothing twice', async () => {
  const id = await rule()
  const first = await scored()
  at('2026-11-20T09:00:00.000Z')
  await run()
  const between = await scored()
  await acme.api('PATCH', `/v1/alerts/${id}`, { schedule: { ...NINE, hour: 7 } })
  at('2026-11-21T07:00:00.000Z')
  await run()
  expect((await sent()).map(({ data }) => data.top.map((shown) => shown.id))).toEqual([[first], [between]])
  expect((await sent())[1]!.data.period.from).toBe('2026-11-20T09:00:00.000Z')
})

test.each([
  [
    'weekly',
    { ...NINE, weekday: 5 },
    'daily',
    '2026-11-21T12:00:00.000Z',
    ['2026-11-25T10:00:00.000Z', '2026-11-26T09:00:00.000Z', '2026-11-27T09:00:00.000Z'],
  ],
  [
    'daily',
    NINE,
    'hourly',
    '2026-11-20T12:00:00.000Z',
    ['2026-11-20T20:00:00.000Z', '2026-11-20T20:05:00.000Z', '2026-11-20T21:05:00.000Z'],
  ],
] as const)(
  'a %s rule that is made shorter leaves nothing out and tells nothing twice',
  async (mode, schedule, shorter, scoredAt, [changedAt, ...runs]) => {
    const id = await rule({ mode, schedule })
    at('2026-11-20T09:00:00.000Z')
    await run()
    at(scoredAt)
    const between = await scored()
    at(changedAt)
    await acme.api('PATCH', `/v1/alerts/${id}`, { mode: shorter })
    for (const time of runs) {
      at(time)
      await run()
    }
    expect((await sent()).flatMap(({ data }) => data.top.map((shown) => shown.id))).toEqual([between])
  },
)

test('a second run on the day of a digest that was sent is not promised, and what it would have told is in the next', async () => {
  const id = await rule()
  at('2026-11-20T09:00:00.000Z')
  await run()
  const later = await scored()
  at('2026-11-20T10:00:00.000Z')
  await acme.api('PATCH', `/v1/alerts/${id}`, { schedule: { ...NINE, hour: 17 } })
  expect(await nextRunOf(id)).toBe('2026-11-21T17:00:00.000Z')
  at('2026-11-21T17:00:00.000Z')
  await run()
  expect((await sent()).map(({ period, data }) => [period, data.top.map((shown) => shown.id)])).toEqual([
    ['2026-11-20', []],
    ['2026-11-21', [later]],
  ])
})

describe('a rule tells of what was scored since it began to send digests', () => {
  test('when it is made', async () => {
    await scored()
    at('2026-11-20T08:00:30.000Z')
    await rule()
    const after = await scored()
    at('2026-11-20T09:00:00.000Z')
    await run()
    expect((await sent()).flatMap(({ data }) => data.top.map((shown) => shown.id))).toEqual([after])
  })

  test('and not of what it sent by itself before', async () => {
    const id = await rule({ mode: 'instant', schedule: null })
    await scored()
    at('2026-11-20T08:30:00.000Z')
    await acme.api('PATCH', `/v1/alerts/${id}`, { mode: 'daily', schedule: NINE })
    at('2026-11-20T09:00:00.000Z')
    await run()
    expect((await sent()).flatMap(({ data }) => data.top.map((shown) => shown.id))).toEqual([])
  })

  test('and not of the time while it was off', async () => {
    const id = await rule()
    at('2026-11-20T09:00:00.000Z')
    await run()
    await acme.api('PATCH', `/v1/alerts/${id}`, { enabled: false })
    await scored()
    at('2026-11-21T08:00:00.000Z')
    await acme.api('PATCH', `/v1/alerts/${id}`, { enabled: true })
    const after = await scored()
    at('2026-11-21T09:00:00.000Z')
    await run()
    expect((await sent()).flatMap(({ data }) => data.top.map((shown) => shown.id))).toEqual([after])
  })
})

test('a rule may ask for a relevance that is no whole number', async () => {
  await rule({ filter: { minRelevance: 79.5 } })
  await scored({ relevance: 79 })
  const told = await scored({ relevance: 80 })
  at('2026-11-20T09:00:00.000Z')
  await run()
  expect((await sent()).map(({ data }) => [data.counts.matched, data.top.map((shown) => shown.id)])).toEqual([
    [2, [told]],
  ])
})

test('a mention whose scoring failed and is made up for hours later is told', async () => {
  await hourly()
  const failed = await mention(world, keyword)
  await score(world, [failed], null)
  for (const time of ['2026-11-20T09:05:00.000Z', '2026-11-20T10:05:00.000Z']) {
    at(time)
    await run()
  }
  at('2026-11-20T10:30:00.000Z')
  expect((await acme.api('POST', `/v1/mentions/${toId('mtn', failed.mentionId)}/rescore`)).status).toBeLessThan(300)
  await score(world, [failed])
  at('2026-11-20T11:05:00.000Z')
  await run()
  expect((await sent()).flatMap(({ data }) => data.top.map((shown) => shown.id))).toEqual([
    toId('mtn', failed.mentionId),
  ])
})

/** Where a mention of the model is in time, in milliseconds after the rule was made. */
interface Made {
  matchedMs: number
  /** How much later its score carries its time. */
  waitsMs: number
  /** How much later than that it is committed. */
  commitsMs: number
}

const made: fc.Arbitrary<Made> = fc.record({
  matchedMs: fc.nat(4 * DAY_MS),
  waitsMs: fc.oneof({ weight: 3, arbitrary: fc.nat(20 * SECOND_MS) }, { weight: 1, arbitrary: fc.nat(20 * HOUR_MS) }),
  commitsMs: fc.nat(110 * SECOND_MS),
})
const late = fc.oneof({ weight: 4, arbitrary: fc.nat(MINUTE_MS) }, { weight: 1, arbitrary: fc.nat(5 * HOUR_MS) })

test.each([
  ['of 25 hours', 'Europe/Berlin', '2026-10-23T00:00:00.000Z'],
  ['of 23 hours', 'America/New_York', '2026-03-06T00:00:00.000Z'],
])(
  'over days with one %s every mention is in one digest, whatever waits, commits late or comes late',
  async (_, timezone, begin) => {
    const days = fc.record({
      hour: fc.oneof(fc.constantFrom(1, 2, 3), fc.nat(23)),
      minute: fc.constantFrom(0, 30),
      mentions: fc.array(made, { minLength: 1, maxLength: 9 }),
      lateMs: fc.array(late, { minLength: 12, maxLength: 12 }),
      // One run that nobody comes to in time, which may be the first of the rule.
      missed: fc.nat(3),
    })
    const channelId = await channel()
    await fc.assert(
      fc.asyncProperty(days, async ({ hour, minute, mentions, lateMs, missed }) => {
        await empty(world, 'alert')
        for (const table of ['delivery_queue', 'delivery', 'mention'])
          await world.db.query(sql`delete from ${sql.table(table)} where workspace_id = ${acme.workspaceId}`)
        const schedule = { hour, minute, timezone, skipEmpty: false, weekday: null }
        const timetable = { mode: 'daily', schedule } as const
        world.clock.set(new Date(begin))
        await rule({ schedule, channelIds: [channelId] })
        const from = new Date(begin)
        const posts = mentions.map(({ matchedMs, waitsMs, commitsMs }) => {
          const matchedAt = plus(from, matchedMs)
          const scoredAt = plus(matchedAt, waitsMs)
          return {
            id: idAt(matchedAt),
            matchedAt,
            scoredAt,
            stored: plus(matchedAt, Math.min(commitsMs, waitsMs)),
            committed: plus(scoredAt, commitsMs),
          }
        })
        const looks: { at: Date; to: Date }[] = []
        for (
          let due = nextRunAfter(timetable, from), number = 0;
          number < 8;
          due = nextRunAfter(timetable, due), number += 1
        ) {
          if (number !== missed) looks.push({ at: plus(due, lateMs[number]!), to: due })
        }
        const expected: Uuid[][] = looks.map(() => [])
        for (const post of posts)
          expected[looks.findIndex((look) => look.at >= post.committed && look.to > post.scoredAt)]!.push(post.id)
        const todo = [
          ...posts.map((post) => ({ at: post.stored, post, scores: false })),
          ...posts.map((post) => ({ at: post.committed, post, scores: true })),
        ]
        todo.sort((a, b) => a.at.getTime() - b.at.getTime() || Number(a.scores) - Number(b.scores))
        for (const look of looks) {
          while (todo[0] !== undefined && todo[0].at <= look.at) {
            const { post, scores } = todo.shift()!
            if (scores)
              await world.db.query(
                sql`update mention set scored_at = ${post.scoredAt}, relevance = 80, sentiment = 1, intents = 0
                    where workspace_id = ${acme.workspaceId} and id = ${post.id}`,
              )
            else await insertMention(post.id, post.matchedAt)
          }
          world.clock.set(look.at)
          expect(await run()).toBe(1)
        }
        const told = (await sent()).map(({ data }) => data.top.map(({ id }) => fromId('mtn', id)!).sort())
        expect(told).toEqual(expected.map((ids) => ids.sort()))
      }),
      { numRuns: 12 },
    )
  },
)

/** Like the ids of mentions: the time comes first. */
function idAt(time: Date): Uuid {
  return `${firstUuidAt(time).slice(0, 15)}${newUuid(time).slice(15)}` as Uuid
}

async function insertMention(id: Uuid, time: Date): Promise<void> {
  const postId = randomUUID()
  await world.db.query(sql`
    insert into post (id, platform, native_id, url, body, links, published_at, collected_at)
      values (${postId}, 0, ${postId}, 'https://example.com/', 'A post.', '{}', ${time}, ${time})`)
  await world.db.query(sql`
    insert into mention (workspace_id, id, keyword_id, post_id, created_at, published_at, platform, is_reply, facets)
    values (${acme.workspaceId}, ${id}, ${keyword.uuid}, ${postId}, ${time}, ${time}, 0, false, '{}')`)
}

/** A database whose transactions break off at their statement of this number, as when the process dies there. */
function failingAt(statement: number): { db: Database; reached: () => boolean } {
  let seen = 0
  const counting = <Result>(ask: () => Promise<Result>): Promise<Result> => {
    seen += 1
    return seen === statement ? Promise.reject(new Error('crash')) : ask()
  }
  const wrapped = (tx: Transaction): Transaction => ({
    ...tx,
    query: (text) => counting(() => tx.query(text)),
    run: (name, text, values) => counting(() => tx.run(name, text, values)),
  })
  return {
    db: { ...world.db, transaction: (work) => world.db.transaction((tx) => work(wrapped(tx))) },
    reached: () => seen >= statement,
  }
}
