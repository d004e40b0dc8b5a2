import { beforeEach, describe, expect, test } from 'vitest'
import { lacking, ready, scriptedSources, searchable } from '../../../test/stand-ins/sources.ts'
import { createTape } from '../../../test/stand-ins/tape.ts'
import { useWorld } from '../../../test/use-world.ts'
import { HOUR_MS, MINUTE_MS, plus, SECOND_MS } from '../../kernel/clock.ts'
import { type Limit, MONEY, type SourceSetup } from '../../sources/contract.ts'
import { sql } from '../../store/database.ts'
import { noteFailure, notePoll } from '../../store/source/source-state.ts'
import { listSources } from './list-sources.ts'

const world = useWorld()
beforeEach(async () => {
  await world.db.query(sql`delete from source_state`)
  await world.db.query(sql`delete from source_quota`)
})

async function* none() {}
const stream = { ...searchable('hackernews', none), mode: 'stream' as const, pollSeconds: 60, poll: none }
const SETUPS: Record<string, SourceSetup> = {
  live: ready(createTape().source),
  stream: ready(stream),
  search: ready(searchable('github', none, { pollSeconds: 300 })),
  lacking: lacking('x', 'search', 'X_BEARER_TOKEN'),
  off: { platform: 'reddit', mode: 'search', source: null, missing: [], off: true },
}

const list = (...setups: SourceSetup[]) => listSources({ ...world, sources: scriptedSources(...setups) })
const fail = (platform: string, error = 'unavailable: connect ECONNREFUSED 10.1.2.3:443') =>
  world.db.transaction((tx) => noteFailure(tx, platform, error, world.clock.now()))
const succeed = (platform: string, newestAt: Date | null = null) =>
  world.db.transaction((tx) => notePoll(tx, platform, 1, world.clock.now(), newestAt))
const statusOf = async (setup: SourceSetup) => (await list(setup))[0]!.status

test('a platform that was never read has nothing to tell', async () => {
  expect(await list(SETUPS['live']!)).toEqual([
    {
      platform: 'bluesky',
      mode: 'live',
      status: 'ready',
      missing: [],
      missingSettings: [],
      lagSeconds: null,
      lastSuccessAt: null,
      lastError: null,
      cost: { usd: 0, usdLimit: null, quotas: [] },
    },
  ])
})

test('what keeps a platform from being read is told before how it fared', async () => {
  for (const platform of ['x', 'reddit']) for (let times = 0; times < 3; times += 1) await fail(platform)
  expect(await statusOf(SETUPS['lacking']!)).toBe('needs_configuration')
  expect(await statusOf(SETUPS['off']!)).toBe('off')
  const [lacking] = await list(SETUPS['lacking']!)
  expect(lacking!.missing).toEqual(['X_BEARER_TOKEN'])
  expect(lacking!.missingSettings).toMatchObject([{ name: 'X_BEARER_TOKEN', meaning: 'A setting of a test.' }])
})

test('lag is the age of the newest thing, never less than nothing', async () => {
  const at = world.clock.now()
  await succeed('hackernews', plus(at, -90 * SECOND_MS))
  await succeed('github', plus(at, HOUR_MS))
  const [slow, fast] = await list(SETUPS['stream']!, SETUPS['search']!)
  expect([slow!.lagSeconds, slow!.lastSuccessAt, fast!.lagSeconds]).toEqual([90, at.toISOString(), 0])
})

describe('a platform is degraded', () => {
  test('after three failures in a row, and no longer after a success', async () => {
    await succeed('github')
    await fail('github')
    await fail('github')
    expect(await statusOf(SETUPS['search']!)).toBe('ready')
    await fail('github')
    expect(await statusOf(SETUPS['search']!)).toBe('degraded')
    await succeed('github')
    expect(await list(SETUPS['search']!)).toMatchObject([{ status: 'ready', lastError: null }])
  })

  test('at once when it refuses the credentials', async () => {
    await fail('github', 'credentials: the platform answered with status 401')
    expect(await statusOf(SETUPS['search']!)).toBe('degraded')
  })

  test.each(['live', 'stream'])('when it is %s and silent for several intervals', async (name) => {
    const setup = SETUPS[name]!
    await succeed(setup.platform)
    await world.clock.advance(5 * MINUTE_MS)
    expect(await statusOf(setup)).toBe('ready')
    await world.clock.advance(1)
    expect(await statusOf(setup)).toBe('degraded')
  })

  test('by silence only after a failure when it is asked for single terms, of which there may be none', async () => {
    await succeed('github')
    await world.clock.advance(1200 * SECOND_MS + 1)
    expect(await statusOf(SETUPS['search']!)).toBe('ready')
    await fail('github')
    expect(await statusOf(SETUPS['search']!)).toBe('degraded')
  })
})

test.each(['throttled', 'unavailable', 'credentials', 'shape_changed', 'gone', 'defect', 'somethingelse'])(
  'the error %s is told in a sentence that holds nothing of what the platform or a setting said',
  async (kind) => {
    await fail('github', `${kind}: key sk-123 was refused at http://10.1.2.3:4500/github`)
    expect((await list(SETUPS['search']!))[0]!.lastError).toMatch(/^[A-Z][^:/\d]+\.$/)
  },
)

describe("today's cost", () => {
  const limits: Limit[] = [
    { quota: MONEY, kind: 'daily', most: 2_000_000, timeZone: 'UTC' },
    { quota: 'searches', kind: 'daily', most: 100, timeZone: 'America/Los_Angeles' },
    { quota: 'searches', kind: 'daily', most: 80, timeZone: 'America/Los_Angeles' },
    { quota: 'requests', kind: 'paced', most: 30, perSeconds: 60, burst: 5 },
  ]
  const setup = ready(searchable('youtube', none, { limits }))
  const spent = (quota: string, day: string, amount: number, platform = 'youtube') =>
    world.db.query(
      sql`insert into source_quota (platform, quota, day, spent)
          values (${platform}, ${quota}, ${day}::date, ${amount})`,
    )

  test('counts each quota by its own calendar, under its lowest limit', async () => {
    // Seven in the morning of the 20th in London is still the 19th in Los Angeles.
    world.clock.set(new Date('2026-11-20T07:00:00Z'))
    await spent(MONEY, '2026-11-20', 1_234_567)
    await spent('searches', '2026-11-19', 12)
    await spent('requests', '2026-11-20', 345)
    await spent('requests', '2026-11-20', 9, 'github')
    expect((await list(setup))[0]!.cost).toEqual({
      usd: 1.234567,
      usdLimit: 2,
      quotas: [
        { name: 'requests', used: 345, limit: null },
        { name: 'searches', used: 12, limit: 80 },
      ],
    })
  })

  test('is the same on platforms that count together', async () => {
    world.clock.set(new Date('2026-11-20T09:00:00Z'))
    const shared: Limit[] = [{ quota: 'requests', kind: 'daily', most: 300, timeZone: 'UTC' }]
    await spent('requests', '2026-11-20', 7, 'stackoverflow')
    const shown = await list(
      ready(searchable('stackoverflow', none, { limits: shared })),
      ready(searchable('stackexchange', none, { limits: shared, countsWith: 'stackoverflow' })),
    )
    const quotas = [{ name: 'requests', used: 7, limit: 300 }]
    expect(shown.map(({ platform, cost }) => [platform, cost.quotas])).toEqual([
      ['stackoverflow', quotas],
      ['stackexchange', quotas],
    ])
  })

  test('begins anew with the day', async () => {
    world.clock.set(new Date('2026-11-20T09:00:00Z'))
    await spent(MONEY, '2026-11-19', 1_234_567)
    await spent('searches', '2026-11-19', 12)
    expect((await list(setup))[0]!.cost).toEqual({
      usd: 0,
      usdLimit: 2,
      quotas: [{ name: 'searches', used: 0, limit: 80 }],
    })
  })
})
