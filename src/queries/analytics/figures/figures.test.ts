import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stored } from '../../../../test/world.ts'
import type { MentionFilter } from '../../../domain/filter/fields.ts'
import { INTENTS, SENTIMENTS } from '../../../domain/mention/classification.ts'
import { isRefusal } from '../../../domain/refusal/refusal.ts'
import { DAY_MS, MINUTE_MS, plus } from '../../../kernel/clock.ts'
import { sql } from '../../../store/database.ts'
import { maintainBlocks } from '../../../store/filter/mention-blocks.ts'
import { EVERY_MENTION, type MentionSearch, resolveSearch } from '../../mentions/search.ts'
import { countByKeyword, countByPlatform, countBySentiment, countByTime } from '../count-by.ts'
import { getMentionBreakdown } from '../get-breakdown.ts'
import { getSeries } from '../get-series.ts'
import { getShareOfVoice } from '../get-share-of-voice.ts'
import { getSummary } from '../get-summary.ts'
import { DIMENSIONS } from '../selected.ts'
import { INTERVALS, windowsFrom } from '../window.ts'
import { HAPPENINGS, MENTIONS, PLATFORMS, useChangingMentions } from './changing-mentions.suite.ts'
import { readFigures } from './read-figures.ts'

const { world, acme, keywords } = useChangingMentions()
const reading = () => ({ ...acme, clock: world.clock })

/** Figures do not tell when mentions were made, so this search looks at every mention. */
const LOOKING: Partial<MentionSearch> = { createdSince: new Date(0) }

interface Question {
  filter: MentionFilter
  includeMuted: boolean
  days: number
  ago: number
  timezone: string
  compare: boolean
  by: (typeof DIMENSIONS)[number]
  interval: (typeof INTERVALS)[number]
}

/** In any order. */
function sourcesIn(rows: Awaited<ReturnType<typeof countByPlatform>>) {
  return isRefusal(rows) ? rows : rows.map((row) => JSON.stringify(row)).sort()
}

async function answers(question: Question, more: Partial<MentionSearch> = {}) {
  const { filter, includeMuted, days, ago, timezone, compare, by, interval } = question
  const dayAgo = (count: number) =>
    plus(world.clock.now(), -count * DAY_MS)
      .toISOString()
      .slice(0, 10)
  const windows = windowsFrom({ from: dayAgo(ago + days - 1), to: dayAgo(ago), timezone, compare }, world.clock.now())
  if (isRefusal(windows)) throw new Error(windows.message)
  const search = { ...EVERY_MENTION, filters: [filter], includeMuted, ...more }
  const alone = { ...windows, previous: null }
  const all = {
    summary: await getSummary(reading(), search, windows),
    series: await getSeries(reading(), search, windows, { interval, by }),
    plain: await getSeries(reading(), search, windows, { interval, by: null }),
    breakdown: await getMentionBreakdown(reading(), search, windows, { by, limit: 50 }),
    voice: await getShareOfVoice(reading(), search, windows, 'keyword'),
    kinds: await getShareOfVoice(reading(), search, windows, 'kind'),
    days: await countByTime(reading(), search, alone, interval === 'hour' ? 'hour' : 'day'),
    sentiments: await countBySentiment(reading(), search, alone),
    sources: sourcesIn(await countByPlatform(reading(), search, alone)),
    keywords: await countByKeyword(reading(), search, alone),
  }
  const resolved = await resolveSearch(reading(), search)
  if (isRefusal(resolved)) throw new Error(resolved.message)
  const asked = { starts: [windows.current.begin], end: windows.current.end, by, sums: true, people: true }
  return { all, byFigures: (await readFigures(reading(), resolved, asked)) !== null }
}

const anyQuestion = (): fc.Arbitrary<Question> => {
  const list = <Value>(values: readonly Value[]) =>
    fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 2 })
  const filter = fc
    .tuple(
      fc.record({
        keywordIds: list(keywords().map(({ uuid }) => uuid)),
        notKeywordIds: list(keywords().map(({ uuid }) => uuid)),
        groupIds: list(keywords().map(({ shown }) => stored('grp', shown.group.id))),
        notGroupIds: list(keywords().map(({ shown }) => stored('grp', shown.group.id))),
        keywordKinds: list(['brand', 'competitor', 'topic']),
        platforms: list(PLATFORMS),
        relevant: fc.boolean(),
        sentiments: list(SENTIMENTS),
        intents: list(INTENTS),
        languages: list(['en', 'de']),
        status: fc.constant('open'),
        minFollowers: fc.constantFrom(100, 15),
      }),
      fc.subarray(
        [
          'keywordIds',
          'notKeywordIds',
          'groupIds',
          'notGroupIds',
          'keywordKinds',
          'platforms',
          'relevant',
          'sentiments',
          'intents',
          'languages',
          'status',
          'minFollowers',
        ] as const,
        { maxLength: 2 },
      ),
    )
    .map(([values, names]): MentionFilter => Object.fromEntries(names.map((name) => [name, values[name]])))
  return fc.record({
    filter,
    includeMuted: fc.boolean(),
    days: fc.integer({ min: 1, max: 9 }),
    ago: fc.integer({ min: 0, max: 3 }),
    timezone: fc.constantFrom('UTC', 'Asia/Kathmandu', 'America/New_York'),
    compare: fc.boolean(),
    by: fc.constantFrom(...DIMENSIONS),
    interval: fc.constantFrom(...INTERVALS),
  })
}

test('what figures tell is what every mention tells, whatever happens to mentions', async () => {
  const happening = fc.tuple(
    fc.constantFrom(...(Object.keys(HAPPENINGS) as (keyof typeof HAPPENINGS)[])),
    fc.nat(MENTIONS - 2),
  )
  let byFigures = 0
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { maxLength: 3 }), anyQuestion(), async (happenings, question) => {
      for (const [name, at] of happenings) await HAPPENINGS[name](at)
      const [told, looked] = [await answers(question), await answers(question, LOOKING)]
      expect(looked.byFigures).toBe(false)
      expect(told.all).toEqual(looked.all)
      if (told.byFigures) byFigures += 1
    }),
    { numRuns: 60, endOnFailure: true },
  )
  expect(byFigures).toBeGreaterThan(40)
}, 120_000)

const WEEK: Question = {
  filter: {},
  // Mentions of muted people are looked at.
  includeMuted: true,
  days: 9,
  ago: 0,
  timezone: 'UTC',
  compare: false,
  by: 'platform',
  interval: 'day',
}

const totalOf = async () => (await answers(WEEK)).all.summary

test('figures are read, not the mentions of their blocks', async () => {
  await maintainBlocks(world.db, world.clock.now())
  const before = await totalOf()
  await world.db.query(sql`update mention set followers = followers + 1 where workspace_id = ${acme.workspaceId}
    and id <= (select last_id from mention_block order by last_id desc limit 1)`)
  expect(await totalOf()).toEqual(before)
  await world.db.query(sql`update mention set followers = followers - 1 where workspace_id = ${acme.workspaceId}
    and id <= (select last_id from mention_block order by last_id desc limit 1)`)
})

test('figures of a block that a former build summed up again are not read', async () => {
  await maintainBlocks(world.db, world.clock.now())
  await world.db.query(sql`update mention_block set stale = true where workspace_id = ${acme.workspaceId}`)
  await world.db.query(sql`update mention set followers = 20 where workspace_id = ${acme.workspaceId}`)
  await world.db.query(sql`update mention_block set stale = false where workspace_id = ${acme.workspaceId}`)
  expect((await answers(WEEK)).all).toEqual((await answers(WEEK, LOOKING)).all)
  const blocks = await world.db.query(sql`select from mention_block`)
  expect(blocks.length).toBeGreaterThan(1)
  expect(await maintainBlocks(world.db, world.clock.now())).toBe(blocks.length)
  expect((await answers(WEEK)).all).toEqual((await answers(WEEK, LOOKING)).all)
  expect(await world.db.query(sql`select from mention_block where not figured`)).toEqual([])
})

test('periods that do not begin with a minute are counted by looking at mentions', async () => {
  const at = plus(world.clock.now(), -DAY_MS)
  const resolved = await resolveSearch(reading(), EVERY_MENTION)
  if (isRefusal(resolved)) throw new Error(resolved.message)
  const ask = (start: Date) =>
    readFigures(reading(), resolved, {
      starts: [start],
      end: plus(start, MINUTE_MS),
      by: null,
      sums: false,
      people: false,
    })
  const minute = new Date(Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS)
  expect(await ask(minute)).not.toBeNull()
  expect(await ask(plus(minute, 1))).toBeNull()
})
