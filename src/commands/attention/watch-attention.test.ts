import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeKeyword, mention, score, type TestKeyword } from '../../../test/mentions.ts'
import { changeKeyword, empty } from '../../../test/rows.ts'
import { useWorld } from '../../../test/use-world.ts'
import { accepted, createWorld, stored, type TestWorkspace } from '../../../test/world.ts'
import { ATTENTION_EVENTS } from '../../domain/attention/account-events.ts'
import { isNegativeSpike, isSpike } from '../../domain/attention/spikes.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, plus } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { pruneAttention } from '../../store/attention/items.ts'
import { type Reader, sql, type Transaction } from '../../store/database.ts'
import { createChannel } from '../channels/create-channel.ts'
import { updateChannel } from '../channels/update-channel.ts'
import { deleteKeyword } from '../keywords/delete-keyword.ts'
import { updateKeyword } from '../keywords/update-keyword.ts'
import { grantCredit } from '../wallet/grant-credit.ts'
import { type SetMention, setDeliveries, setMentions } from './attention-setting.suite.ts'
import { watchAttention } from './watch-attention.ts'

let tenant: TestWorkspace
let channel: Uuid
const world = useWorld()

/** Three minutes past a full hour. */
const START = new Date('2026-11-20T10:03:00.000Z')
const LAST_HOUR = new Date('2026-11-20T09:00:00.000Z')

let made = 0
beforeEach(async () => {
  made += 1
  world.clock.set(START)
  await empty(world, 'attention_look')
  tenant = await world.workspace(`Workspace ${made}`)
  // Who has paid is not stopped for noise, and has no limit.
  await grantCredit(tenant, 100_000)
  channel = await subscribe()
})

async function subscribe(): Promise<Uuid> {
  const { id } = accepted(
    await createChannel(tenant, {
      kind: 'webhook',
      url: 'https://hooks.example.com/in',
      events: [...ATTENTION_EVENTS],
    }),
  )
  return stored('dest', id)
}

/** A keyword that has collected for a long time. */
async function oldKeyword(days = 30): Promise<TestKeyword> {
  const keyword = await makeKeyword(tenant)
  const since = plus(world.clock.now(), -days * DAY_MS)
  await changeKeyword(world, keyword.uuid, { createdAt: since, judgedSince: since })
  return keyword
}

const items = async () => (await tenant.api('GET', '/v1/attention?status=all&limit=100')).body.data as Item[]
const statuses = async () => (await items()).map(({ kind, status }) => `${kind} ${status}`)
const told = () =>
  world.db.query<{ event: string; data: Record<string, unknown> }>(sql`
  select event, data from delivery where workspace_id = ${tenant.workspaceId} and channel_id = ${channel}
    and kind = 'event' order by id`)
const look = () => watchAttention(world.services)
const nextHour = () => {
  world.clock.set(plus(world.clock.now(), HOUR_MS))
  return look()
}

interface Item {
  id: string
  kind: string
  status: string
  title: string
  subject: { type: string; id: string }
  data: Record<string, unknown>
  openedAt: string
  resolvedAt: string | null
  dismissedAt: string | null
}

function burst(
  { uuid: keywordId, workspaceId }: TestKeyword,
  count: number,
  more: Partial<SetMention> = {},
): SetMention[] {
  return Array.from({ length: count }, (_, at) => ({ workspaceId, keywordId, at: plus(LAST_HOUR, at * 1000), ...more }))
}

describe('a spike of mentions', () => {
  test('opens an item with its numbers, is told once, and resolves when it is over', async () => {
    const keyword = await oldKeyword()
    await setMentions(world, [
      ...burst(keyword, 3, { at: plus(LAST_HOUR, -2 * HOUR_MS) }),
      ...burst(keyword, 11),
      ...burst(keyword, 1, { relevance: 10 }),
    ])
    await look()
    const [item] = await items()
    const { shown } = keyword
    const data = {
      attentionId: item!.id,
      url: `https://earshot.test/attention?item=${item!.id}`,
      keyword: { id: shown.id, term: shown.term, kind: 'brand', name: shown.term, groupId: shown.group.id },
      window: { from: '2026-11-20T09:00:00.000Z', to: '2026-11-20T10:00:00.000Z' },
      ...{ matches: 12, relevant: 11 },
      baseline: { meanPerHour: 0.02, stddevPerHour: 0.23, hours: 168 },
    }
    expect(item).toEqual({
      id: expect.stringMatching(/^att_/),
      kind: 'mention.spike',
      status: 'open',
      subject: { type: 'keyword', id: shown.id },
      title: `Unusually many mentions of “${shown.term}”: 12 in the last hour, usually less than 1`,
      openedAt: START.toISOString(),
      resolvedAt: null,
      dismissedAt: null,
      data,
    })
    expect(await told()).toEqual([{ event: 'mention.spike', data }])
    // In the order in which receivers of the event have its keys.
    expect(JSON.stringify(item!.data)).toBe(JSON.stringify(data))
    await nextHour()
    expect(await items()).toEqual([{ ...item, status: 'resolved', resolvedAt: world.clock.now().toISOString() }])
    expect(await told()).toHaveLength(1)
  })

  test('goes by posts that were new when they matched', async () => {
    const keyword = await oldKeyword()
    const old = plus(LAST_HOUR, -6 * HOUR_MS - 1)
    await setMentions(world, [...burst(keyword, 9), ...burst(keyword, 20, { at: LAST_HOUR, publishedAt: old })])
    await look()
    expect(await items()).toEqual([])
    await setMentions(world, burst(keyword, 1, { at: LAST_HOUR, publishedAt: plus(old, 1) }))
    await empty(world, 'attention_look')
    await look()
    expect((await items())[0]!.data).toMatchObject({ matches: 10 })
  })

  test('is not seen before the keyword has collected for a day under its present rules', async () => {
    const [young, old, changed] = [await oldKeyword(1), await oldKeyword(1 + 2 / 24), await oldKeyword()]
    await updateKeyword(tenant, changed.uuid, { matching: { excludedTerms: ['spam'] } })
    await setMentions(world, [...burst(young, 50), ...burst(old, 50), ...burst(changed, 50)])
    await look()
    expect((await items()).map(({ subject, data }) => [subject.id, data.baseline])).toEqual([
      [old.shown.id, { meanPerHour: 0, stddevPerHour: 0, hours: 24 }],
    ])
  })

  test.each<[string, Parameters<typeof updateKeyword>[2], boolean]>([
    ['context', { context: 'The company.' }, true],
    ['kind and limit', { kind: 'topic', cap: { mentions: 900 } }, true],
    ['review pages', { reviewSources: [{ platform: 'appstore', id: '123456789' }] }, true],
    ['platforms', { platforms: ['reddit', 'x'] }, false],
    ['matching', { matching: { caseSensitive: true } }, false],
  ])('is seen at once after a change of %s alone: %s', async (_, change, seen) => {
    const keyword = await oldKeyword()
    accepted(await updateKeyword(tenant, keyword.uuid, change))
    await setMentions(world, burst(keyword, 50))
    await look()
    expect((await items()).map(({ kind }) => kind)).toEqual(seen ? ['mention.spike'] : [])
  })

  test('is not seen for a day after the keyword was unmuted', async () => {
    const keyword = await oldKeyword()
    accepted(await updateKeyword(tenant, keyword.uuid, { muted: true }))
    accepted(await updateKeyword(tenant, keyword.uuid, { muted: false }))
    await setMentions(world, burst(keyword, 50))
    await look()
    expect(await items()).toEqual([])
  })

  test('is not what comes after a keyword had stopped at its limit', async () => {
    const keyword = await oldKeyword()
    await changeKeyword(world, keyword.uuid, { pausedForCap: true })
    await look()
    await changeKeyword(world, keyword.uuid, { pausedForCap: false })
    for (let hour = 1; hour <= 26; hour += 1) {
      await setMentions(world, burst(keyword, 12, { at: plus(LAST_HOUR, hour * HOUR_MS) }))
      await nextHour()
    }
    expect(await items()).toEqual([])
    await setMentions(world, burst(keyword, 13, { at: plus(LAST_HOUR, 27 * HOUR_MS) }))
    await nextHour()
    expect((await items())[0]!.data).toMatchObject({
      matches: 13,
      baseline: { meanPerHour: 12, stddevPerHour: 0, hours: 25 },
    })
  })
})

describe('negative mentions', () => {
  test.each<[string, Parameters<typeof updateKeyword>[2], boolean]>([
    ['context', { context: 'The company.' }, false],
    ['kind and limit', { kind: 'topic', cap: { mentions: 900 } }, true],
    ['matching', { matching: { caseSensitive: true } }, false],
  ])('are compared with the week before a change of %s: %s', async (_, change, seen) => {
    const keyword = await oldKeyword()
    accepted(await updateKeyword(tenant, keyword.uuid, change))
    await setMentions(world, [
      ...burst(keyword, 20, { at: plus(LAST_HOUR, -3 * DAY_MS) }),
      ...burst(keyword, 10, { at: plus(LAST_HOUR, -10 * HOUR_MS), negative: true }),
    ])
    await look()
    expect((await items()).map(({ kind }) => kind)).toEqual(seen ? ['sentiment.negative_spike'] : [])
  })

  test('open an item when their share jumps, by the marks of the team as they are at the time, and the item ends with it', async () => {
    const keyword = await oldKeyword()
    const week = plus(LAST_HOUR, -3 * DAY_MS)
    const ids = await setMentions(world, [
      ...burst(keyword, 18, { at: week }),
      ...burst(keyword, 2, { at: week, negative: true }),
      ...burst(keyword, 7, { at: plus(LAST_HOUR, -10 * HOUR_MS) }),
      ...burst(keyword, 3, { at: plus(LAST_HOUR, -23 * HOUR_MS), negative: true }),
      // Neither noise nor what has no score is counted.
      ...burst(keyword, 5, { at: plus(LAST_HOUR, -HOUR_MS), negative: true, relevance: 39 }),
      ...burst(keyword, 5, { at: plus(LAST_HOUR, -HOUR_MS), negative: true, relevance: null }),
    ])
    await look()
    const [item] = await items()
    expect(item).toMatchObject({
      kind: 'sentiment.negative_spike',
      status: 'open',
      subject: { type: 'keyword', id: keyword.shown.id },
    })
    expect(item!.data).toEqual({
      attentionId: item!.id,
      url: `https://earshot.test/attention?item=${item!.id}`,
      keyword: {
        id: keyword.shown.id,
        term: keyword.shown.term,
        kind: 'brand',
        name: keyword.shown.term,
        groupId: keyword.shown.group.id,
      },
      window: { from: '2026-11-19T10:00:00.000Z', to: '2026-11-20T10:00:00.000Z' },
      ...{ negative: 3, relevant: 10, share: 0.3 },
      baseline: { negative: 2, relevant: 20, share: 0.1 },
    })
    expect(await told()).toEqual([{ event: 'sentiment.negative_spike', data: item!.data }])
    await world.db.query(
      sql`update mention set sentiment = 1 where workspace_id = ${tenant.workspaceId} and id = ${ids[27]!}`,
    )
    await nextHour()
    expect(await statuses()).toEqual(['sentiment.negative_spike resolved'])
  })
})

describe('a noisy keyword', () => {
  const scored = async (keyword: TestKeyword, count: number, relevance: number) => {
    const mentions = []
    for (let at = 0; at < count; at += 1) mentions.push(await mention(world, keyword))
    await score(world, mentions, { relevance })
  }

  test('is one by the health rule, and no longer when its rules change', async () => {
    // Later than every other test: ids only grow, and a mention is not to be younger than the change of its keyword.
    world.clock.set(plus(START, 400 * DAY_MS))
    const keyword = await makeKeyword(tenant)
    await scored(keyword, 5, 80)
    await scored(keyword, 14, 10)
    await look()
    expect(await items()).toEqual([])
    await scored(keyword, 1, 10)
    await nextHour()
    const [item] = await items()
    expect(item!.data).toEqual({
      attentionId: item!.id,
      url: `https://earshot.test/attention?item=${item!.id}`,
      keyword: {
        id: keyword.shown.id,
        term: keyword.shown.term,
        kind: 'brand',
        name: keyword.shown.term,
        groupId: keyword.shown.group.id,
      },
      ...{ windowDays: 14, scored: 20, relevant: 5, noiseShare: 0.75 },
    })
    expect((await told()).map(({ event }) => event)).toEqual(['keyword.noisy'])
    await updateKeyword(tenant, keyword.uuid, { context: 'We make rockets.' })
    await nextHour()
    expect(await statuses()).toEqual(['keyword.noisy resolved'])
  })

  test('that the noise itself has stopped deserves a look too, but not one that somebody muted', async () => {
    const poor = await world.workspace(`Poor ${made}`)
    tenant = poor
    channel = await subscribe()
    const [braked, muted] = [await makeKeyword(poor), await makeKeyword(poor)]
    for (const keyword of [braked, muted]) await scored(keyword, 20, 10)
    await changeKeyword(world, muted.uuid, { pausedForNoise: false })
    await look()
    expect((await items()).map(({ kind, subject }) => [kind, subject.id])).toEqual([['keyword.noisy', braked.shown.id]])
  })

  test('of which nothing is left resolves its item', async () => {
    const keyword = await makeKeyword(tenant)
    await scored(keyword, 20, 10)
    await look()
    await deleteKeyword(tenant, keyword.uuid)
    await nextHour()
    expect(await statuses()).toEqual(['keyword.noisy resolved'])
  })
})

describe('a failing channel', () => {
  const ended = (status: 'delivered' | 'failed' | 'pending', hoursAgo: number, error?: string) => ({
    ...{ workspaceId: tenant.workspaceId, channelId: channel, at: plus(START, -hoursAgo * HOUR_MS), status },
    ...(error === undefined ? {} : { error }),
  })

  test('is one whose last five deliveries of a day all failed, whatever waits behind them', async () => {
    await setDeliveries(world, [
      ended('failed', 30),
      ended('delivered', 12),
      ...[6, 5, 4, 3].map((hours) => ended('failed', hours, 'HTTP 500')),
      ended('pending', 0.5),
    ])
    await look()
    expect(await items()).toEqual([])
    await setDeliveries(world, [ended('failed', 2, 'timeout')])
    await nextHour()
    const [item] = await items()
    const { data: channels } = (await tenant.api('GET', '/v1/channels')).body
    expect(item).toMatchObject({
      status: 'open',
      subject: { type: 'channel', id: channels[0].id },
      title: expect.stringContaining('hooks.example.com'),
    })
    expect(item!.data).toEqual({
      attentionId: item!.id,
      url: `https://earshot.test/attention?item=${item!.id}`,
      channel: { id: channels[0].id, kind: 'webhook', label: 'hooks.example.com' },
      ...{ failures: 5, lastError: 'timeout', since: plus(START, -6 * HOUR_MS).toISOString() },
    })
    expect((await told()).map(({ event }) => event)).toEqual(['channel.failing'])
    await setDeliveries(world, [ended('delivered', -1)])
    await nextHour()
    expect(await statuses()).toEqual(['channel.failing resolved'])
  })

  test('is none any more when it is turned off, and when a day has passed', async () => {
    const failures = () =>
      setDeliveries(
        world,
        Array.from({ length: 5 }, () => ended('failed', 1)),
      )
    await failures()
    await look()
    await updateChannel(tenant, channel, { enabled: false })
    await nextHour()
    expect(await statuses()).toEqual(['channel.failing resolved'])
    await updateChannel(tenant, channel, { enabled: true })
    await nextHour()
    expect(await statuses()).toEqual(['channel.failing open', 'channel.failing resolved'])
    world.clock.set(plus(START, DAY_MS))
    await look()
    expect(await statuses()).toEqual(['channel.failing resolved', 'channel.failing resolved'])
  })

  test('is told to the channels that subscribed before it was seen, and to no others', async () => {
    const later = accepted(await createChannel(tenant, { kind: 'webhook', url: 'https://later.example.com/' }))
    await setDeliveries(
      world,
      Array.from({ length: 5 }, () => ended('failed', 1)),
    )
    await look()
    await updateChannel(tenant, stored('dest', later.id), { events: ['channel.failing'] })
    await nextHour()
    expect((await tenant.api('GET', `/v1/channels/${later.id}/deliveries`)).body.data).toEqual([])
    const { data } = (await tenant.api('GET', `/v1/channels/${(await items())[0]!.subject.id}/deliveries`)).body
    expect(data.filter(({ kind }: { kind: string }) => kind === 'event')).toMatchObject([
      { event: 'channel.failing', alert: null, mention: null },
    ])
  })
})

describe('the look', () => {
  test('is taken once after each full hour, two minutes later at the soonest', async () => {
    const keyword = await oldKeyword()
    await setMentions(world, burst(keyword, 12))
    world.clock.set(plus(START, -MINUTE_MS - 1))
    await look()
    expect(await items()).toEqual([])
    world.clock.set(plus(START, -MINUTE_MS))
    await look()
    expect(await statuses()).toEqual(['mention.spike open'])
    await world.db.query(sql`delete from mention where workspace_id = ${tenant.workspaceId}`)
    world.clock.set(plus(START, 58 * MINUTE_MS))
    expect(await look()).toBe(0)
    expect(await statuses()).toEqual(['mention.spike open'])
    world.clock.set(plus(START, 59 * MINUTE_MS))
    await look()
    expect(await statuses()).toEqual(['mention.spike resolved'])
  })

  test('by several processes at once opens and tells each thing once', async () => {
    const keyword = await oldKeyword()
    await setMentions(world, burst(keyword, 12))
    await Promise.all([look(), look(), look()])
    expect([await statuses(), (await told()).length]).toEqual([['mention.spike open'], 1])
    world.clock.set(plus(START, HOUR_MS))
    await Promise.all([look(), look(), look()])
    expect([await statuses(), (await told()).length]).toEqual([['mention.spike resolved'], 1])
  })

  test.each([-HOUR_MS, -5 * HOUR_MS])(
    'by a clock that goes back by %i ms, and on again, tells nothing twice',
    async (back) => {
      const keyword = await oldKeyword()
      await setMentions(world, burst(keyword, 12))
      await look()
      for (const at of [plus(START, back), START]) {
        world.clock.set(at)
        expect(await look()).toBe(0)
      }
      expect([await statuses(), (await told()).length]).toEqual([['mention.spike open'], 1])
    },
  )

  test('of a process whose clock is an hour behind changes nothing once a later one has begun', async () => {
    const keyword = await oldKeyword()
    await setMentions(world, burst(keyword, 12))
    const behind = { ...world.services, clock: { ...world.clock, now: () => plus(START, -HOUR_MS) } }
    let overtaken = false
    const db: typeof world.db = {
      ...world.db,
      // After the one behind has begun, and before it looks at any workspace, the other is through.
      async transaction(work) {
        const result = await world.db.transaction(work)
        if (!overtaken) {
          overtaken = true
          await look()
        }
        return result
      },
    }
    expect(await watchAttention({ ...behind, db })).toBe(0)
    expect([await statuses(), (await told()).length]).toEqual([['mention.spike open'], 1])
    expect(await look()).toBe(0)
  })

  test('that lies more than a day ahead counts as none', async () => {
    const keyword = await oldKeyword()
    world.clock.set(plus(START, 26 * HOUR_MS))
    await look()
    await setMentions(world, burst(keyword, 12))
    world.clock.set(START)
    await look()
    expect(await statuses()).toEqual(['mention.spike open'])
    expect(await look()).toBe(0)
  })

  test('leaves out a workspace that cannot be looked at, says so, and no other', async () => {
    const keyword = await oldKeyword()
    const poor = await world.workspace(`Broken ${made}`)
    await setMentions(world, [
      ...burst(keyword, 12),
      { workspaceId: poor.workspaceId, keywordId: keyword.uuid, at: LAST_HOUR },
    ])
    await world.admin(
      `create function fail_here() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$`,
    )
    await world.admin(
      `create trigger fail_here before insert on attention_hour for each row when (new.workspace_id = '${poor.workspaceId}') execute function fail_here()`,
    )
    try {
      await look()
      expect(await statuses()).toEqual(['mention.spike open'])
      const failures = world.logged.filter(({ level, workspace }) => level === 'error' && workspace !== undefined)
      expect(failures.map(({ workspace }) => workspace)).toEqual([poor.workspaceId])
      expect(await look()).toBe(0)
    } finally {
      await world.admin('drop function fail_here cascade')
    }
  })

  test('counts a week in statements of a few hours each', async () => {
    const spans: number[] = []
    const counted = (tx: Transaction): Transaction => ({
      ...tx,
      run(name, text, values) {
        if (name === 'attention-count-hours') spans.push((values[4] as Date).getTime() - (values[3] as Date).getTime())
        return tx.run(name, text, values)
      },
    })
    await watchAttention({
      ...world.services,
      db: { ...world.db, transaction: (work) => world.db.transaction((tx) => work(counted(tx))) },
    })
    expect(Math.max(...spans)).toBe(6 * HOUR_MS)
    expect(spans.reduce((sum, ms) => sum + ms, 0) % (192 * HOUR_MS)).toBe(0)
  })

  test('that is late by a few hours makes up for the hours between', async () => {
    const keyword = await oldKeyword()
    await look()
    for (const hour of [1, 2]) await setMentions(world, burst(keyword, 15, { at: plus(LAST_HOUR, hour * HOUR_MS) }))
    await setMentions(world, burst(keyword, 60, { at: plus(LAST_HOUR, 3 * HOUR_MS) }))
    world.clock.set(plus(START, 3 * HOUR_MS))
    await look()
    expect((await items())[0]!.data.baseline).toMatchObject({ meanPerHour: 0.18, hours: 168 })
  })

  test('that comes after the service was off for long calls nothing a spike before a day of collecting', async () => {
    const keyword = await oldKeyword()
    await look()
    world.clock.set(plus(START, 4 * HOUR_MS))
    // What was posted meanwhile comes in at once.
    await setMentions(world, [
      ...burst(keyword, 60, { at: plus(LAST_HOUR, 4 * HOUR_MS) }),
      ...burst(keyword, 200, { at: plus(LAST_HOUR, 5 * HOUR_MS) }),
    ])
    await look()
    for (let hour = 5; hour <= 29; hour += 1) {
      await setMentions(world, burst(keyword, 12, { at: plus(LAST_HOUR, (hour + 1) * HOUR_MS) }))
      await nextHour()
    }
    expect(await items()).toEqual([])
    await setMentions(world, burst(keyword, 13, { at: plus(LAST_HOUR, 30 * HOUR_MS) }))
    await nextHour()
    expect((await items())[0]!.data).toMatchObject({
      matches: 25,
      baseline: { meanPerHour: 12, stddevPerHour: 0, hours: 24 },
    })
  })

  test('does not open again what was dismissed before it has been over', async () => {
    const keyword = await oldKeyword()
    const noise = () => setMentions(world, burst(keyword, 40, { at: plus(world.clock.now(), -50 * MINUTE_MS) }))
    await noise()
    await look()
    const [item] = await items()
    expect((await tenant.api('POST', `/v1/attention/${item!.id}/dismiss`)).body.status).toBe('dismissed')
    // So many more that each hour is unusual again.
    await setMentions(world, burst(keyword, 3000, { at: plus(LAST_HOUR, HOUR_MS) }))
    await nextHour()
    expect(await statuses()).toEqual(['mention.spike dismissed'])
    await nextHour()
    expect(await statuses()).toEqual(['mention.spike dismissed'])
    expect((await items())[0]!.resolvedAt).toBe(world.clock.now().toISOString())
    await setMentions(world, burst(keyword, 9000, { at: plus(LAST_HOUR, 3 * HOUR_MS) }))
    await nextHour()
    expect(await statuses()).toEqual(['mention.spike open', 'mention.spike dismissed'])
    expect(await told()).toHaveLength(2)
  })

  test('keeps what resolved for 90 days, and what lasts for good', async () => {
    const [over, lasting] = [await oldKeyword(), await oldKeyword()]
    await setMentions(world, burst(over, 12))
    await look()
    await setMentions(world, burst(lasting, 12, { at: plus(LAST_HOUR, HOUR_MS) }))
    await nextHour()
    const end = plus(world.clock.now(), 90 * DAY_MS)
    await pruneAttention(world.db, end)
    expect(await statuses()).toEqual(['mention.spike open', 'mention.spike resolved'])
    await pruneAttention(world.db, plus(end, 1))
    expect(await statuses()).toEqual(['mention.spike open'])
  })
})

describe('over random histories', () => {
  const WHAT = fc.record({
    /** Hours since the step before; a little back is the clock of another machine. */
    hours: fc.oneof(
      { weight: 4, arbitrary: fc.constant(1) },
      { weight: 1, arbitrary: fc.constantFrom(-1, 0, 2, 30, 200) },
    ),
    bursts: fc.array(
      fc.record({
        keyword: fc.nat(2),
        count: fc.constantFrom(1, 2, 4, 11, 40),
        minutesAgo: fc.integer({ min: 3, max: 170 }),
        ageHours: fc.constantFrom(0, 0, 0, 5, 7),
        relevance: fc.constantFrom(80, 80, 80, 10, null),
        negative: fc.boolean(),
      }),
      { maxLength: 3 },
    ),
    /** Newer mentions that get another score, or go. */
    changes: fc.array(fc.record({ which: fc.nat(500), to: fc.constantFrom('negative', 'noise', 'gone') }), {
      maxLength: 3,
    }),
    keyword: fc.option(fc.record({ which: fc.nat(2), to: fc.constantFrom('capped', 'running', 'context', 'rules') }), {
      freq: 5,
    }),
    processes: fc.constantFrom(1, 1, 2),
  })

  test('items last and events go out as a recount of all mentions says', async () => {
    let number = 0
    await fc.assert(
      fc.asyncProperty(fc.array(WHAT, { minLength: 4, maxLength: 14 }), async (steps) => {
        number += 1
        world.clock.set(START)
        await empty(world, 'attention_look')
        tenant = await world.workspace(`Random ${made} ${number}`)
        await grantCredit(tenant, 100_000)
        channel = await subscribe()
        const keywords = [await oldKeyword(), await oldKeyword(3), await oldKeyword(0.5)]
        const gaps = new Map<Uuid, Gap>()
        let furthest = START
        let opened = 0
        let before = new Set<string>()
        let looked: number | null = null
        let collecting = new Date(0)
        for (const step of steps) {
          const at = plus(world.clock.now(), step.hours * HOUR_MS)
          world.clock.set(at)
          await setMentions(
            world,
            step.bursts.flatMap(({ keyword, count, minutesAgo, ageHours, relevance, negative }) => {
              const then = plus(at, -minutesAgo * MINUTE_MS)
              return burst(keywords[keyword]!, count, {
                at: then,
                publishedAt: plus(then, -ageHours * HOUR_MS),
                relevance,
                negative,
              })
            }),
          )
          for (const change of step.changes) await changeMention(change, plus(furthest, -23 * HOUR_MS))
          if (step.keyword) await alterKeyword(keywords[step.keyword.which]!, step.keyword.to)
          await Promise.all(Array.from({ length: step.processes }, look))
          const until = new Date(Math.floor((at.getTime() - 2 * MINUTE_MS) / HOUR_MS) * HOUR_MS)
          // An hour is looked at once, whatever happens after that, and none before it any more.
          const due: boolean = looked === null || until.getTime() > looked
          if (looked !== null && until.getTime() - looked > 3 * HOUR_MS) collecting = at
          const expected: Set<string> = due ? await recounted(keywords, gaps, until, collecting) : before
          if (due) looked = until.getTime()
          expect(await lasting()).toEqual([...expected].sort())
          opened += [...expected].filter((key) => !before.has(key)).length
          expect(await told()).toHaveLength(opened)
          before = expected
          if (at > furthest) furthest = at
        }
      }),
      { numRuns: 15 },
    )
  }, 240_000)

  async function changeMention({ which, to }: { which: number; to: string }, since: Date): Promise<void> {
    const rows = await world.db.query<{ id: Uuid }>(
      sql`select id from mention where workspace_id = ${tenant.workspaceId} and created_at >= ${since} order by id`,
    )
    if (rows.length === 0) return
    const { id } = rows[which % rows.length]!
    const own = sql`where workspace_id = ${tenant.workspaceId} and id = ${id}`
    await world.db.query(
      to === 'gone'
        ? sql`delete from mention ${own}`
        : to === 'noise'
          ? sql`update mention set relevance = 5 ${own}`
          : sql`update mention set relevance = 90, sentiment = 2 ${own}`,
    )
  }

  async function alterKeyword({ uuid }: TestKeyword, to: string): Promise<void> {
    const [at, capped] = [world.clock.now(), sql`paused_for_cap = ${to === 'capped'}`]
    const set =
      to === 'context'
        ? sql`judged_since = ${at}`
        : to === 'rules'
          ? sql`judged_since = ${at}, collects_since = ${at}`
          : capped
    await world.db.query(sql`update keyword set ${set} where workspace_id = ${tenant.workspaceId} and id = ${uuid}`)
  }

  async function lasting(): Promise<string[]> {
    const rows = await world.db.query<{ key: string }>(
      sql`select kind || ' ' || subject_id as key from attention_item where workspace_id = ${tenant.workspaceId}
          and resolved_at is null and kind <> 'keyword.noisy'`,
    )
    return rows.map(({ key }) => key).sort()
  }

  /** What deserves attention, from the mentions themselves; remembers which keywords are seen to have stopped. */
  async function recounted(
    keywords: readonly TestKeyword[],
    gaps: Map<Uuid, Gap>,
    until: Date,
    collecting: Date,
  ): Promise<Set<string>> {
    const mentions = await world.db.query<{
      keyword_id: Uuid
      created_at: Date
      published_at: Date
      relevance: number | null
      sentiment: number
    }>(
      sql`select keyword_id, created_at, published_at, relevance, sentiment from mention
          where workspace_id = ${tenant.workspaceId}`,
    )
    const states = await world.db.query<{ id: Uuid; judged_since: Date; began: Date; paused_for_cap: boolean }>(
      sql`select id, judged_since, coalesce(collects_since, created_at) as began, paused_for_cap from keyword
          where workspace_id = ${tenant.workspaceId}`,
    )
    const found = new Set<string>()
    for (const { uuid } of keywords) {
      const state = states.find(({ id }) => id === uuid)!
      const own = mentions.filter((row) => row.keyword_id === uuid)
      const gap = gaps.get(uuid)
      const stopped = [gap?.seen, gap?.before].find((seen) => seen !== undefined && seen < until)
      const since = Math.max(
        state.began.getTime(),
        collecting.getTime(),
        stopped === undefined ? 0 : stopped.getTime() + HOUR_MS,
      )
      const hoursFrom = (end: Date, first = since) =>
        Array.from({ length: 168 }, (_, n) => plus(end, -(n + 1) * HOUR_MS)).filter((hour) => hour.getTime() >= first)
      const within = (from: Date, ms: number) =>
        own.filter((row) => row.created_at >= from && row.created_at < plus(from, ms))
      const fresh = (from: Date) =>
        within(from, HOUR_MS).filter((row) => row.created_at.getTime() - row.published_at.getTime() <= 6 * HOUR_MS)
          .length
      const hours = hoursFrom(plus(until, -HOUR_MS)).map(fresh)
      const hourly = {
        hours: hours.length,
        matches: hours.reduce((a, b) => a + b, 0),
        squares: hours.reduce((a, b) => a + b * b, 0),
      }
      if (isSpike(fresh(plus(until, -HOUR_MS)), hourly)) found.add(`mention.spike ${uuid}`)
      const counts = (rows: typeof own) => {
        const relevant = rows.filter((row) => (row.relevance ?? 0) >= 40)
        return {
          scored: rows.filter((row) => row.relevance !== null).length,
          relevant: relevant.length,
          negative: relevant.filter((row) => row.sentiment === 2).length,
        }
      }
      const past = hoursFrom(plus(until, -DAY_MS), Math.max(since, state.judged_since.getTime()))
      const then = { ...counts(past.flatMap((hour) => within(hour, HOUR_MS))), hours: past.length }
      if (isNegativeSpike(counts(within(plus(until, -DAY_MS), DAY_MS)), then))
        found.add(`sentiment.negative_spike ${uuid}`)
      if (state.paused_for_cap && (gap === undefined || gap.seen < until))
        gaps.set(uuid, { seen: until, before: gap?.seen })
    }
    return found
  }
})

interface Gap {
  seen: Date
  before: Date | undefined
}

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

test('with 200,000 mentions every statement goes by indexes, and reads no more than the last day and the week of counts', async () => {
  const own = await createWorld()
  try {
    const acme = await own.workspace('Acme')
    const keyword = await makeKeyword(acme)
    const { workspaceId } = acme
    await own.db.query(
      sql`update keyword set created_at = ${plus(START, -90 * DAY_MS)}, judged_since = ${plus(START, -90 * DAY_MS)}`,
    )
    // One every 26 seconds: two months, of which the last day holds some 3,300.
    await own.db.query(sql`
      insert into mention (workspace_id, id, keyword_id, post_id, created_at, published_at, platform, is_reply, facets,
        relevance, sentiment, scored_at)
      select ${workspaceId}, (lpad(to_hex((extract(epoch
        from at) * 1000)::bigint), 12, '0') || '7000' || '8000' || lpad(to_hex(n), 12, '0'))::uuid, ${keyword.uuid},
        gen_random_uuid(), at, at, 1, false,
        '{}', 80, case when n < 3400 and n % 2 = 0 then 2 else 1 end, at
      from (select n, ${START}::timestamptz - n * interval '26 seconds' as at from generate_series(1, 200000) n) t`)
    await own.db.query(sql`
      insert into delivery (workspace_id, id, channel_id, kind, event, status, attempts, created_at)
      select ${workspaceId}, gen_random_uuid(), d.id, 'mention', 'mention.matched', 'delivered', 1, now()
      from generate_series(1, 20000),
        (select ${stored('dest', (await acme.api('POST', '/v1/channels', { kind: 'webhook', url: 'https://hooks.example.com/' })).body.id)}::uuid as id) d`)
    await own.db.query(sql`
      insert into delivery_held (workspace_id, channel_id, delivery_id, waits_for)
      select workspace_id, channel_id, id, case when row_number() over () <= 1000 then 'waiting_limit' end
        from delivery`)
    await own.db.query(sql`
      insert into attention_hour select ${workspaceId}, n % 190 * interval '1 hour' + timestamptz '2026-11-12T11:00Z',
        gen_random_uuid(), 1, 1, 1, 1, 1 from generate_series(1, 20000) n`)
    await own.db.query(sql`insert into attention_look (begun, until) values (${LAST_HOUR}, ${LAST_HOUR})`)
    await own.admin('vacuum analyze')
    own.clock.set(START)
    const plans: Plan[] = []
    await watchAttention({
      ...own.services,
      db: { ...own.db, transaction: (work) => own.db.transaction((tx) => work(explaining(tx, plans))) },
    })
    expect((await acme.api('GET', '/v1/attention')).body.data.map(({ kind }: Item) => kind)).toContain(
      'sentiment.negative_spike',
    )
    const scans = plans.flatMap(nodesOf)
    // Partitions of other workspaces stand in the plan, and nobody looks into them.
    const big = scans.filter(
      (node) =>
        /^(mention|delivery|attention_hour)/.test(node['Relation Name'] ?? node['Index Name'] ?? '') &&
        node['Actual Loops'] !== 0,
    )
    expect(big.length).toBeGreaterThan(3)
    expect(big.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name'])).toEqual([])
    for (const node of big)
      expect(
        ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 0),
      ).toBeLessThan(7000)
  } finally {
    await own.close()
  }
}, 180_000)

/** The same transaction, in which every statement is explained before it is run. */
function explaining(tx: Transaction, plans: Plan[]): Transaction {
  const keep = async (rows: Promise<{ 'QUERY PLAN': [{ Plan: Plan }] }[]>) =>
    plans.push((await rows)[0]!['QUERY PLAN'][0].Plan)
  const explained: Reader = {
    async query(statement) {
      await keep(tx.query(sql`explain (format json) ${statement}`))
      return await tx.query(statement)
    },
    async run(name, text, values) {
      // What it writes is written again below, to the same end.
      await keep(tx.run(`explain ${name}`, `explain (analyze, format json) ${text}`, values))
      return await tx.run(name, text, values)
    },
  }
  return { ...explained, inTransaction: true }
}

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
}
