import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lookBackDaysOn } from '../../src/domain/keyword/queries.ts'
import {
  factsOf,
  isLive,
  isSearchPlatform,
  type Platform,
  platformNumber,
  REVIEW_PLATFORMS,
  type ReviewPlatform,
} from '../../src/domain/platform/platforms.ts'
import { DAY_MS } from '../../src/kernel/clock.ts'
import { sql } from '../../src/store/database.ts'
import { type CollectingService, keywordIdOf, sooner, startService, TRIED } from './collecting-service.ts'
import {
  ARE_THERE,
  complaintsIn,
  type StandInPage,
  type StandInPlatforms,
  type StandInPost,
  startPlatforms,
} from './stand-in-platforms.ts'

const SEARCHED = TRIED.filter(isSearchPlatform)
/** Live platforms, and those without a search, are not searched for a new keyword. */
const LOOKED_BACK = SEARCHED.filter((platform) => !isLive(platform) && lookBackDaysOn(platform) > 0)
const LIVE = SEARCHED.filter(isLive)
/** Polled for everything that appears. */
const FEEDS = SEARCHED.filter((platform) => !isLive(platform) && factsOf(platform).readsWholeFeed)
/** Nearly every review holds one of these; which pages are known to the end is seen by their counts. */
const COMMON = ['.', ',', '!', 'the', 'a', 'i', 'it', 'and', 'to', 'is', 'not', 'of', 'app', 'good', 'great']
const WITHIN_MS = 30_000

interface ApiMention {
  relevant: boolean
  keyword: { term: string }
  post: { platform: Platform; text: string }
  review: {
    rating: number
    ratingMax: number
    country: string | null
    app: { platform: string; id: string } | null
  } | null
  classification: { sentiment: string } | null
}

let platforms: StandInPlatforms
let service: CollectingService
let reviews: StandInPost[]
let reviewPages: Map<ReviewPlatform, StandInPage[]>
let reviewed: string

describe.skipIf(!ARE_THERE)('all platforms', () => {
  beforeAll(async () => {
    platforms = await startPlatforms()
    reviews = await allReviews()
    reviewPages = await knownPages()
    service = await startService(
      platforms.url,
      (platform) =>
        ({ stackoverflow: 4, devto: 2, github: 3, youtube: 5, lemmy: 3, lobsters: 3, producthunt: 3 })[
          platform as string
        ] ?? 1,
    )
  }, 90_000)

  afterAll(async () => {
    await service?.close()
    await platforms?.close()
  })

  test('bring the reviews of the last 30 days once and without charge', async () => {
    const [app, packageName, company, place] = [
      page('appstore'),
      page('googleplay'),
      page('trustpilot'),
      page('googlemaps'),
    ]
    const { id } = await service.call<{ id: string }>('POST', '/v1/keywords', {
      term: 'Quorvex',
      platforms: [],
      reviewSources: [
        { platform: 'appstore', id: app.id, countries: ['us', 'gb'] },
        // Every storefront of Google Play shows the same reviews.
        { platform: 'googleplay', id: packageName.id, countries: ['us', 'gb'] },
        { platform: 'trustpilot', id: company.id },
        { platform: 'googlemaps', id: place.id },
      ],
    })
    reviewed = id
    const wanted = [...recentOf(app, ['us', 'gb']), ...recentOf(packageName), ...recentOf(company), ...recentOf(place)]
    expect(new Set(wanted.map(({ platform }) => platform)).size).toBe(4)
    await sooner(async () => expect(await mentionsOf(reviewed)).toEqual(named(wanted)), WITHIN_MS)
    await allScored()
    expect(await billable(reviewed)).toBe(0)
    const shown = await apiMentions(reviewed)
    expect(
      shown.filter(
        ({ relevant, review, classification }) =>
          !relevant || classification?.sentiment !== sentimentOf(review?.rating ?? 0),
      ),
    ).toEqual([])
  }, 90_000)

  test('bring new reviews as mentions that are charged', async () => {
    const before = await mentionsOf(reviewed)
    const fresh = await Promise.all(
      REVIEW_PLATFORMS.map((platform, at) =>
        platforms.publish({
          platform,
          text: `New review ${'of some length '.repeat(40)}`,
          app: page(platform).app,
          country: 'gb',
          rating: at + 1,
        }),
      ),
    )
    await sooner(async () => expect(await mentionsOf(reviewed)).toEqual([...before, ...named(fresh)].sort()), WITHIN_MS)
    await allScored()
    expect(await billable(reviewed)).toBe(fresh.length)
    const shown = (await apiMentions(reviewed)).filter(({ post }) => post.text.startsWith('New review'))
    const fields = shown.map(({ post, review, classification }) => [
      post.platform,
      review?.rating,
      review?.ratingMax,
      review?.app?.id ?? null,
      classification?.sentiment,
    ])
    expect(fields.sort()).toEqual([
      ['appstore', 1, 5, page('appstore').id, 'negative'],
      ['googlemaps', 4, 5, null, 'positive'],
      ['googleplay', 2, 5, page('googleplay').id, 'negative'],
      ['trustpilot', 3, 5, null, 'neutral'],
    ])
    expect(shown.find(({ post }) => post.platform === 'appstore')!.review!.country).toBe('gb')
  }, 90_000)

  test('look back for a page or storefront that is added, and not for those that were there', async () => {
    const [before, charged] = [await mentionsOf(reviewed), await billable(reviewed)]
    const [company, added] = [page('trustpilot'), page('trustpilot', 1)]
    const late = {
      platform: 'trustpilot',
      text: 'A review that appears late',
      rating: 5,
      publishedAt: daysAgo(20),
    } as const
    await platforms.publish({ ...late, app: company.app })
    const alsoLate = await platforms.publish({ ...late, app: added.app })
    const patched = new Date()
    await service.call('PATCH', `/v1/keywords/${reviewed}`, {
      reviewSources: [
        { platform: 'appstore', id: page('appstore').id, countries: ['us', 'gb', 'de'] },
        { platform: 'googleplay', id: page('googleplay').id, countries: ['us', 'gb'] },
        { platform: 'trustpilot', id: company.id },
        { platform: 'trustpilot', id: added.id },
        { platform: 'googlemaps', id: page('googlemaps').id },
      ],
    })
    const wanted = [...recentOf(page('appstore'), ['de']), ...recentOf(added), alsoLate]
    await sooner(
      async () => expect(await mentionsOf(reviewed)).toEqual([...before, ...named(wanted)].sort()),
      WITHIN_MS,
    )
    const readOn = async () => expect(await pollsSince(company.id, patched)).toBe(true)
    await sooner(readOn, WITHIN_MS)
    expect(await mentionsOf(reviewed)).toEqual([...before, ...named(wanted)].sort())
    await allScored()
    expect(await billable(reviewed)).toBe(charged)
  }, 90_000)

  test('bring a new keyword ten of what was there before, fifty in all, and everything that follows', async () => {
    for (let count = 0; count < 12; count += 1)
      await Promise.all(
        SEARCHED.map((platform) =>
          platforms.publish({
            platform,
            text: `Brindlewood was here, number ${count}`,
            publishedAt: daysAgo(1 + count / 4),
          }),
        ),
      )
    await feedsHaveRead()
    const { id } = await service.call<{ id: string }>('POST', '/v1/keywords', { term: 'Brindlewood' })
    await lookedBack()
    const counts = await countsOf(id)
    expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(50)
    expect(Math.max(...counts.values())).toBe(10)
    expect(LIVE.filter((platform) => counts.has(platform))).toEqual([])

    await Promise.all(SEARCHED.map((platform) => platforms.publish({ platform, text: 'Brindlewood is here' })))
    await sooner(
      async () =>
        expect(
          (await service.mentions())
            .filter(({ text }) => text.includes('Brindlewood is here'))
            .map(({ platform }) => platform)
            .sort(),
        ).toEqual([...SEARCHED].sort()),
      WITHIN_MS,
    )
    expect((await mentionsOf(id)).length).toBe(50 + SEARCHED.length)
  }, 90_000)

  test('look back 30 days, on Instagram ten, and on X as far as its search goes', async () => {
    const wanted: string[] = []
    for (const platform of LOOKED_BACK) {
      const furthest = { instagram: 9, x: 6 }[platform as string] ?? 29
      for (const days of [3, furthest, furthest + 2.5]) {
        await platforms.publish({ platform, text: `Calderfield for ${days} days`, publishedAt: daysAgo(days) })
        if (days <= furthest) wanted.push(`${platform} ${days}`)
      }
    }
    await feedsHaveRead()
    const { id } = await service.call<{ id: string }>('POST', '/v1/keywords', { term: 'Calderfield' })
    await lookedBack()
    const found = (await service.mentions()).filter(({ keywordId }) => keywordId === keywordIdOf(id))
    expect(found.map(({ platform, text }) => `${platform} ${/for ([\d.]+) days/.exec(text)?.[1]}`).sort()).toEqual(
      wanted.sort(),
    )
  }, 90_000)

  test.each(LIVE)(
    'take a mention away when its post is deleted on %s',
    async (platform) => {
      const post = await platforms.publish({ platform, text: 'Brindlewood, and I regret it' })
      const there = async () =>
        (await service.mentions(platform)).filter(({ text }) => text.includes('and I regret it')).length
      await sooner(async () => expect(await there()).toBe(1), WITHIN_MS)
      await platforms.remove(platform, post.id)
      await sooner(async () => expect(await there()).toBe(0), WITHIN_MS)
    },
    60_000,
  )

  test('are asked within their limits all the while', async () => {
    const log = await platforms.requests()
    expect(new Set(log.map(({ platform }) => platform)).size).toBe(TRIED.length)
    expect(complaintsIn(log)).toEqual([])
  })
})

function page(platform: ReviewPlatform, at = 0): StandInPage {
  return reviewPages.get(platform)![at]!
}

async function allReviews(): Promise<StandInPost[]> {
  const found = await Promise.all(
    REVIEW_PLATFORMS.flatMap((platform) => COMMON.map((term) => platforms.truth(platform, term))),
  )
  return [...new Map(found.flat().map((review) => [`${review.platform} ${review.id}`, review])).values()]
}

/** Pages of which every review is known. Of a place only five are shown. */
async function knownPages(): Promise<Map<ReviewPlatform, StandInPage[]>> {
  const pages = (await platforms.pages()).filter(
    (page) => page.reviews === reviewsOf(page).length && recentOf(page).length > 0,
  )
  return new Map(
    REVIEW_PLATFORMS.map((platform) => [
      platform,
      pages.filter((page) => page.platform === platform && (platform !== 'googlemaps' || page.reviews < 5)),
    ]),
  )
}

function reviewsOf({ platform, id }: StandInPage): StandInPost[] {
  return reviews.filter((review) => review.platform === platform && review.page?.id === id)
}

/** Those that looking back brings, of some storefronts where the platform has them. */
function recentOf(page: StandInPage, countries: readonly string[] | null = null): StandInPost[] {
  return reviewsOf(page)
    .filter(({ publishedAt }) => Date.parse(publishedAt) >= Date.now() - 30 * DAY_MS)
    .filter(({ url }) => countries === null || countries.some((country) => url.includes(`/${country}/`)))
}

function named(posts: readonly StandInPost[]): string[] {
  return posts.map(({ platform, id }) => `${platform} ${id}`).sort()
}

async function mentionsOf(keyword: string): Promise<string[]> {
  return (await service.mentions())
    .filter(({ keywordId }) => keywordId === keywordIdOf(keyword))
    .map(({ platform, nativeId }) => `${platform} ${nativeId}`)
    .sort()
}

async function countsOf(keyword: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const mention of await mentionsOf(keyword)) {
    const platform = mention.split(' ')[0]!
    counts.set(platform, (counts.get(platform) ?? 0) + 1)
  }
  return counts
}

async function apiMentions(keyword: string): Promise<ApiMention[]> {
  const mentions: ApiMention[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const reply: { data: ApiMention[]; nextCursor: string | null } = await service.call(
      'GET',
      `/v1/mentions?keywordId=${keyword}&limit=100${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
    )
    mentions.push(...reply.data)
    cursor = reply.nextCursor
  }
  return mentions
}

async function allScored(): Promise<void> {
  await sooner(async () => expect((await service.mentions()).filter(({ scored }) => !scored)).toEqual([]), WITHIN_MS)
}

async function billable(keyword: string): Promise<number> {
  const { totals } = await service.call<{ totals: { billableMentions: number } }>(
    'GET',
    `/v1/usage/breakdown?keywordIds=${keyword}`,
  )
  return totals.billableMentions
}

/**
 * What appears in a feed is new to a keyword whenever it was written; what is to be looked back for has to have
 * appeared already.
 */
async function feedsHaveRead(): Promise<void> {
  // The first reading that ends may have begun before the post appeared.
  await everyFeedReads()
  await everyFeedReads()
}

async function everyFeedReads(): Promise<void> {
  const at = new Date()
  const read = () =>
    service.db.query(
      sql`select source from source_state where source = any(${FEEDS}::text[]) and last_success_at > ${at}`,
    )
  await sooner(async () => expect(await read()).toHaveLength(FEEDS.length), WITHIN_MS)
}

/** Every query of a platform that is on has had its first poll. */
async function lookedBack(): Promise<void> {
  await sooner(
    async () =>
      expect(
        await service.db.query(sql`select platform, key from keyword_query
          where look_back and platform = any(${TRIED.map(platformNumber)}::smallint[])`),
      ).toEqual([]),
    WITHIN_MS,
  )
}

/** Whether a page that is asked for was asked for again, and to the end, since. */
async function pollsSince(pageId: string, since: Date): Promise<boolean> {
  const rows = await service.db.query<{ last_polled_at: Date }>(
    sql`select last_polled_at from source_query where key like ${`${pageId}|%`}`,
  )
  return rows.length > 0 && rows.every(({ last_polled_at: at }) => at > since)
}

function sentimentOf(stars: number): string {
  if (stars >= 4) return 'positive'
  return stars === 3 ? 'neutral' : 'negative'
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString()
}
