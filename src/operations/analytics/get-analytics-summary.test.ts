import fc from 'fast-check'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { useWorld } from '../../../test/use-world.ts'
import type { TestWorkspace } from '../../../test/world.ts'
import { MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { dayPlus } from '../../kernel/local-days.ts'
import { sql } from '../../store/database.ts'
import {
  type Cast,
  type CastMention,
  calendarDay,
  countBy,
  createCast,
  engagementOf,
  mute,
  publishedIn,
  reachOf,
} from './cast.suite.ts'

let cast: Cast
let acme: TestWorkspace
const world = useWorld()
beforeAll(async () => {
  cast = await createCast(world)
  acme = cast.workspace
})
beforeEach(() => world.clock.advance(MINUTE_MS))

/** The limit of a minute is never reached. */
const ask = async (query: string) => {
  await world.clock.advance(2 * SECOND_MS)
  return (await acme.api('GET', `/v1/analytics/summary?${query}`)).body
}

/** The totals by hand. */
function totalsOf(mentions: readonly CastMention[]) {
  const sentiment = { positive: 0, neutral: 0, negative: 0 }
  for (const mention of mentions) if (mention.sentiment) sentiment[mention.sentiment] += 1
  const judged = mentions.filter((mention) => mention.sentiment !== null).length
  const share = (count: number) => (judged === 0 ? null : count / judged)
  return {
    mentions: mentions.length,
    relevant: mentions.filter(({ relevance }) => relevance !== null && relevance >= 40).length,
    sentiment,
    sentimentShare: {
      positive: share(sentiment.positive),
      neutral: share(sentiment.neutral),
      negative: share(sentiment.negative),
    },
    reach: reachOf(mentions),
    engagement: engagementOf(mentions),
    unscored: mentions.filter(({ relevance }) => relevance === null).length,
    people: new Set(mentions.flatMap(({ author, platform }) => (author === null ? [] : [`${platform} ${author}`])))
      .size,
  }
}

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Pacific/Auckland',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
]

test('the figures of any window in any zone are those of a recount, and so are those of the window before', async () => {
  const today = (zone: string) => calendarDay(world.clock.now(), zone)
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...ZONES),
      fc.nat(60),
      fc.integer({ min: 1, max: 40 }),
      fc.constantFrom('', 'relevant=true', 'platforms=reddit,appstore'),
      async (zone, ago, days, filter) => {
        const to = dayPlus(today(zone), -ago)
        const from = dayPlus(to, 1 - days)
        const body = await ask(`from=${from}&to=${to}&timezone=${encodeURIComponent(zone)}&compare=true&${filter}`)
        const wanted = cast.mentions.filter(
          (mention) =>
            (filter !== 'relevant=true' || (mention.relevance ?? 0) >= 40) &&
            (!filter.startsWith('platforms') || ['reddit', 'appstore'].includes(mention.platform)),
        )
        const inside = publishedIn(wanted, from, to, zone)
        const before = publishedIn(wanted, dayPlus(from, -days), dayPlus(from, -1), zone)
        expect(body.window).toMatchObject({ from, to, days, timezone: zone })
        expect(body.previousWindow).toMatchObject({
          from: dayPlus(from, -days),
          to: dayPlus(from, -1),
          days,
          timezone: zone,
        })
        expect(body.previousWindow.until).toBe(body.window.since)
        expect(body.current).toEqual(totalsOf(inside))
        expect(body.previous).toEqual(totalsOf(before))
        expect(body.change.mentions).toBe(before.length === 0 ? null : (inside.length - before.length) / before.length)
        const platforms = [...countBy(inside.map(({ platform }) => platform))].sort(([, a], [, b]) => b - a)
        expect(body.platforms.map(({ mentions }: { mentions: number }) => mentions)).toEqual(
          platforms.slice(0, 10).map(([, count]) => count),
        )
      },
    ),
    { numRuns: 60 },
  )
})

test('the last thirty days are counted unless told otherwise, today included, without a comparison', async () => {
  const body = await ask('')
  const today = calendarDay(world.clock.now(), 'UTC')
  expect(body.window).toMatchObject({ from: dayPlus(today, -29), to: today, days: 30, timezone: 'UTC' })
  expect(body).toMatchObject({ previousWindow: null, previous: null, change: null })
  expect(body.current).toEqual(totalsOf(publishedIn(cast.mentions, dayPlus(today, -29), today, 'UTC')))
})

test('a window in which nothing was published has noughts, and no shares', async () => {
  const { current, previous, change, platforms } = await ask('from=2001-01-01&to=2001-01-07&compare=true')
  expect(current).toEqual(totalsOf([]))
  expect(previous).toEqual(current)
  expect(change).toEqual({
    mentions: null,
    relevant: null,
    positive: null,
    negative: null,
    reach: null,
    engagement: null,
    people: null,
  })
  expect(platforms).toEqual([])
})

test('accounts that were merged are one person, and what muted people wrote is hidden unless asked for', async () => {
  const { current } = await ask('range=90d')
  await world.db.query(sql`
    insert into account (workspace_id, id, person_id, platform)
    select distinct m.workspace_id, m.account_id, (select min(account_id::text)::uuid from mention
      where workspace_id = m.workspace_id), m.platform
    from mention m join post p on p.id = m.post_id where m.workspace_id = ${acme.workspaceId} and p.author_id = 'eve'`)
  const eves = new Set(cast.mentions.filter(({ author }) => author === 'eve').map(({ platform }) => platform)).size
  const merged = (await ask('range=90d')).current.people
  // The person's id may itself be the account of somebody else in the cast, who then is the same person.
  expect([current.people - eves, current.people - eves + 1]).toContain(merged)
  await world.db.query(sql`delete from account where workspace_id = ${acme.workspaceId}`)
  await mute(world, cast, 'bob')
  expect((await ask('range=90d')).current).toEqual(
    totalsOf(
      publishedIn(
        cast.mentions.filter(({ author }) => author !== 'bob'),
        '2026-01-01',
        '2026-12-31',
        'UTC',
      ),
    ),
  )
  expect((await ask('range=90d&includeMuted=true')).current).toEqual(current)
  await world.db.query(sql`delete from person where workspace_id = ${acme.workspaceId}`)
  await world.db.query(sql`delete from account where workspace_id = ${acme.workspaceId}`)
})

test.each([
  ['timezone=Mars/Olympus', 'timezone: must be the name of a time zone, such as Europe/Berlin'],
  ['timezone=%2B02:00', 'timezone: must be the name of a time zone, such as Europe/Berlin'],
  ["timezone=UTC'--", 'timezone: must be the name of a time zone, such as Europe/Berlin'],
  ['range=8d', 'range: must be one of 7d, 30d, 90d, 365d'],
  ['from=2026-11-01', 'to: is required with from'],
  ['to=2026-11-01', 'from: is required with to'],
  ['from=2026-11-02&to=2026-11-01', 'to: must not be before from'],
  ['from=2026-02-30&to=2026-03-01', 'from: must be a day, such as 2026-11-20'],
  ['from=2024-01-01&to=2026-01-01', 'to: must be at most 366 days after from, both included'],
  ['from=2026-11-01&to=2026-11-02&range=7d', 'from: cannot be combined with range'],
  ['from=1969-12-31&to=1970-01-01', 'from: must not be before 1970-01-01'],
  ['from=9999-12-31&to=9999-12-31', 'to: must be before 9999-12-31'],
  ['compare=perhaps', 'compare: must be true or false'],
  ['platforms=myspace', undefined],
])('%s is refused by naming the parameter', async (query, message) => {
  const { status, body } = await acme.api('GET', `/v1/analytics/summary?${query}`)
  expect([status, body.error.code]).toEqual([400, 'validation_error'])
  if (message === undefined) expect(body.error.message).toContain('platforms')
  else expect(body.error.message).toBe(message)
})

test('an unknown rule or view is not found', async () => {
  for (const query of [`alertId=${newId('feed', world.clock.now())}`, `viewId=${newId('vw', world.clock.now())}`]) {
    const { status, body } = await acme.api('GET', `/v1/analytics/summary?${query}`)
    expect([status, body.error.code]).toEqual([404, 'not_found'])
  }
})

test.each([
  ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
  ['2026-11-10', 'Asia/Kathmandu', '2026-11-09T18:15:00.000Z', '2026-11-10T18:15:00.000Z'],
])('the list of mentions between the ends of %s in %s has as many', async (day, zone, since, until) => {
  const body = await ask(`from=${day}&to=${day}&timezone=${zone}`)
  expect(body.window).toMatchObject({ since, until })
  const listed = await cast.workspace.api('GET', `/v1/mentions/count?since=${since}&until=${until}`)
  expect(listed.body.total).toBe(body.current.mentions)
})
