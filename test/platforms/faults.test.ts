import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isLive, type Platform, platformNumber, REVIEW_PLATFORMS } from '../../src/domain/platform/platforms.ts'
import type { SourceView } from '../../src/queries/sources/list-sources.ts'
import { sql } from '../../src/store/database.ts'
import { type CollectingService, sooner, startService, TRIED } from './collecting-service.ts'
import { ARE_THERE, complaintsIn, type Fault, type StandInPlatforms, startPlatforms } from './stand-in-platforms.ts'

const TERM = 'Zephyrine'
const APP = 'zephyrine-app'
/** Faults that pass by themselves. Live feeds break off at some of them, and these stand apart. */
const PASSING: readonly Fault[] = ['throttle', 'html', 'shape', 'unavailable', 'truncated', 'reset', 'empty']
const DAMAGING: ReadonlySet<Fault> = new Set(['html', 'shape', 'truncated'])
/** Which of them come in each part of the run in which the platform does not hang. */
const PORTIONS = [
  [0, 3],
  [3, 5],
  [5, 7],
] as const
/** The longest that anything takes which a fault has held up. */
const RECOVERY_MS = 30_000

/** New platforms come last, so that the turns of the others stay. */
const IN_TURN = TRIED.toSorted((a, b) => platformNumber(a) - platformNumber(b))

let platforms: StandInPlatforms
let service: CollectingService
const published = new Map<Platform, string[]>(TRIED.map((platform) => [platform, []]))

describe.skipIf(!ARE_THERE)('all platforms in trouble', () => {
  beforeAll(async () => {
    platforms = await startPlatforms()
    // A review page is there as soon as it has a review.
    await Promise.all(REVIEW_PLATFORMS.map(publish))
    service = await startService(platforms.url, pollSeconds, {
      YOUTUBE_SEARCH_CALLS_PER_DAY: '400',
      NEWS_SOURCES: 'googlenews',
    })
    const pages = (await platforms.pages()).filter(({ app }) => app === APP)
    await service.call('POST', '/v1/keywords', {
      term: TERM,
      reviewSources: pages.map(({ platform, id }) => ({ platform, id })),
    })
    // Whatever is published from here on is new, and nothing is left to look back for.
    await sooner(async () => expect(await neverAsked()).toEqual([]), RECOVERY_MS)
    // A live feed goes on from its last event, as soon as there was one.
    const live = TRIED.filter(isLive)
    await Promise.all(live.map((platform) => platforms.publish({ platform, text: 'nothing of interest' })))
    const begun = () =>
      service.db.query(sql`select 1 from source_state where source = any(${live}) and cursor is not null`)
    await sooner(async () => expect(await begun()).toHaveLength(live.length), RECOVERY_MS)
  }, 90_000)

  afterAll(async () => {
    await service?.close()
    await platforms?.close()
  })

  test('lose and double nothing, and those that answer wait for none that hang', async () => {
    for (const quarter of [0, 1, 2, 3]) {
      const hanging = IN_TURN.filter((_, at) => at % 4 === quarter)
      const others = IN_TURN.filter((_, at) => at % 4 !== quarter)
      await Promise.all(hanging.map((platform) => platforms.fault(platform, 'hang', { forever: true })))
      await Promise.all(hanging.map(publish))
      await Promise.all(others.map((platform) => suffer(platform, faultsOf(platform, quarter))))
      expect((await gaps(hanging)).length).toBeGreaterThanOrEqual(hanging.length)

      // The end comes while posts are being fetched and stored.
      const before = (await service.mentions()).length
      await Promise.all(TRIED.map(publish))
      await sooner(async () => expect((await service.mentions()).length).toBeGreaterThan(before), RECOVERY_MS)
      await service.kill()
      await Promise.all(hanging.map((platform) => platforms.fault(platform, 'none')))
      await letTimePass()
      await service.start()
    }
    await everythingIsThere()
  }, 180_000)

  test('that refuse the key are left alone and reported, while the others go on', async () => {
    // An open connection is not refused.
    const refusing = IN_TURN.filter((platform, at) => at % 2 === 1 && !isLive(platform))
    const others = IN_TURN.filter((platform) => !refusing.includes(platform))
    // YouTube also says when the searches of a day are used up, and the rest of the day is over with it.
    await Promise.all(
      refusing.map((platform) =>
        platforms.fault(platform, platform === 'youtube' ? 'throttle' : 'unauthorized', { forever: true }),
      ),
    )
    await Promise.all(TRIED.map(publish))
    await sooner(async () => expect(await gaps(others)).toEqual([]), RECOVERY_MS)
    await sooner(async () => expect(await errorsOf(refusing)).toEqual(refusing.map(expectedError)), RECOVERY_MS)
    expect((await gaps(refusing)).length).toBe(refusing.length)

    await service.kill()
    await Promise.all(refusing.map((platform) => platforms.fault(platform, 'none')))
    await letTimePass()
    await service.start()
    await everythingIsThere()
  }, 90_000)

  test('are asked within their limits all the while', async () => {
    expect(complaintsIn(await platforms.requests())).toEqual([])
  })
})

/** Streams bear few requests, and searches that few are granted of. */
function pollSeconds(platform: Platform): number {
  const slower = { stackoverflow: 3, devto: 2, github: 3, youtube: 2, lemmy: 3, lobsters: 3, producthunt: 3 }
  return slower[platform as keyof typeof slower] ?? 1
}

/** Each platform begins with another fault, so that all kinds of trouble are there at once. */
function faultsOf(platform: Platform, quarter: number): readonly Fault[] {
  const at = IN_TURN.indexOf(platform)
  const [from, to] = PORTIONS[quarter > at % 4 ? quarter - 1 : quarter]!
  return PASSING.map((_, place) => PASSING[(place + at) % PASSING.length]!).slice(from, to)
}

/** Posts appear before, between and after the faults. */
async function suffer(platform: Platform, faults: readonly Fault[]): Promise<void> {
  for (const fault of faults) {
    // Which is a matter of hours there.
    if (platform === 'youtube' && fault === 'throttle') continue
    const since = new Date()
    await publish(platform)
    await platforms.fault(platform, fault)
    // A place shows no more than five reviews, and those of one part appear together in the end.
    if (platform !== 'googlemaps') await publish(platform)
    await sooner(
      async () => expect(await isMet(platform, fault, since), `${platform}: ${fault}`).toBe(true),
      RECOVERY_MS,
    )
    // A message of a live feed that cannot be read is passed over, unless the feed breaks off soon after.
    if (isLive(platform) && DAMAGING.has(fault)) await cutLiveFeed(platform)
  }
  await publish(platform)
  await sooner(async () => expect(await gaps([platform])).toEqual([]), RECOVERY_MS)
}

/** Those who come back are received. */
async function cutLiveFeed(platform: Platform): Promise<void> {
  await platforms.fault(platform, 'reset')
  await platforms.fault(platform, 'none')
}

/** A damaged message of a live feed is no request. */
async function isMet(platform: Platform, fault: Fault, since: Date): Promise<boolean> {
  if (isLive(platform)) return true
  return (await platforms.requests({ platform, since })).some((request) => request.fault === fault)
}

async function publish(platform: Platform): Promise<void> {
  const earlier = published.get(platform)!
  const marker = `${platform}zq${earlier.length}mark`
  earlier.push(marker)
  // A place shows the five longest of its reviews.
  const more = platform === 'googlemaps' ? ' It is good.'.repeat(20 * earlier.length) : ''
  await platforms.publish({
    platform,
    text: `I really like ${TERM} ${marker} because it works.${more}`,
    app: APP,
    rating: 5,
  })
}

/** What was published and is not a mention exactly once. */
async function gaps(wanted: readonly Platform[]): Promise<string[]> {
  const texts = new Map(
    await Promise.all(
      wanted.map(async (platform) => [platform, (await service.mentions(platform)).map(({ text }) => text)] as const),
    ),
  )
  return wanted.flatMap((platform) =>
    published.get(platform)!.flatMap((marker) => {
      const times = texts.get(platform)!.filter((text) => text.includes(`${marker} `)).length
      return times === 1 ? [] : [`${marker}: ${times} times`]
    }),
  )
}

async function everythingIsThere(): Promise<void> {
  await sooner(async () => expect(await gaps(TRIED)).toEqual([]), RECOVERY_MS)
  await sooner(async () => expect((await service.mentions()).filter(({ scored }) => !scored)).toEqual([]), RECOVERY_MS)
  const count = [...published.values()].flat().length
  expect(await service.mentions()).toHaveLength(count)
  // The first review of each page was there before the keyword.
  const { totals } = await service.call<{ totals: { billableMentions: number } }>('GET', '/v1/usage/breakdown')
  expect(totals.billableMentions).toBe(count - REVIEW_PLATFORMS.length)
}

/**
 * Every wait is over: for the next turn of what found nothing for a while, for a platform that asked to be left alone,
 * for a key that was refused.
 */
async function letTimePass(): Promise<void> {
  await service.db.query(sql`update source_query set due_at = now(), empty_polls = 0 where due_at is not null`)
  await service.db.query(sql`update source_pace set used_until = now() where quota = ''`)
}

async function neverAsked(): Promise<unknown[]> {
  return await service.db.query(sql`select platform, key from source_query
      where last_polled_at is null and platform = any(${TRIED.map(platformNumber)}::smallint[])`)
}

async function errorsOf(wanted: readonly Platform[]): Promise<(string | null)[]> {
  const { data } = await service.call<{ data: SourceView[] }>('GET', '/v1/sources')
  return wanted.map((platform) => `${platform}: ${data.find((source) => source.platform === platform)!.lastError}`)
}

/** The app stores are asked without a key, so that a refusal means too many requests. */
function expectedError(platform: Platform): string {
  const throttled = ['youtube', 'appstore', 'googleplay'].includes(platform)
  return `${platform}: ${throttled ? 'The platform was asked as often as it allows.' : 'The platform does not accept the credentials.'}`
}
