import { beforeAll, expect, test } from 'vitest'
import { useWorld } from '../../../test/use-world.ts'
import { type Cast, type CastMention, countBy, createCast, publishedIn } from './cast.suite.ts'

let cast: Cast
const world = useWorld()
beforeAll(async () => {
  cast = await createCast(world)
})

const ask = async (query: string) => (await cast.workspace.api('GET', `/v1/analytics/reviews?${query}`)).body
const reviewsIn = (from: string, to: string) =>
  publishedIn(cast.mentions, from, to, 'UTC').filter(({ review }) => review !== null)

function starsOf(mentions: readonly CastMention[]) {
  const ratings = mentions.map(({ review }) => review!.rating)
  const counts = countBy(ratings)
  const mean = ratings.length === 0 ? null : ratings.reduce((sum, rating) => sum + rating, 0) / ratings.length
  return {
    reviews: ratings.length,
    mean,
    stars: {
      1: counts.get(1) ?? 0,
      2: counts.get(2) ?? 0,
      3: counts.get(3) ?? 0,
      4: counts.get(4) ?? 0,
      5: counts.get(5) ?? 0,
    },
  }
}

test('the stars are those of a recount, with the change against the window before', async () => {
  const body = await ask('from=2026-10-16&to=2026-11-20&compare=true')
  const [now, before] = [starsOf(reviewsIn('2026-10-16', '2026-11-20')), starsOf(reviewsIn('2026-09-10', '2026-10-15'))]
  expect([body.current, body.previous]).toEqual([now, before])
  expect(body.change).toEqual({
    reviews: (now.reviews - before.reviews) / before.reviews,
    mean: now.mean! - before.mean!,
  })
})

test('apps, storefronts and versions have their own', async () => {
  const body = await ask('from=2026-09-01&to=2026-11-20')
  const all = reviewsIn('2026-09-01', '2026-11-20')
  expect(all.length).toBeGreaterThan(20)
  const parts = (key: (mention: CastMention) => string) => countBy(all.map(key)).size
  expect(body.apps).toHaveLength(parts(({ platform, review }) => `${platform} ${review!.app?.id}`))
  expect(body.storefronts).toHaveLength(parts(({ platform, review }) => `${platform} ${review!.country}`))
  for (const { platform, app, reviews, mean, stars } of body.apps)
    expect({ reviews, mean, stars }).toEqual(
      starsOf(
        all.filter(
          (mention) => mention.platform === platform && (mention.review!.app?.id ?? null) === (app?.id ?? null),
        ),
      ),
    )
  for (const { platform, country, reviews, mean, stars } of body.storefronts)
    expect({ reviews, mean, stars }).toEqual(
      starsOf(all.filter((mention) => mention.platform === platform && mention.review!.country === country)),
    )
  const versioned = all.filter(({ review }) => review!.version !== null)
  expect(body.versions.reduce((sum: number, { reviews }: { reviews: number }) => sum + reviews, 0)).toBe(
    versioned.length,
  )
  for (const { platform, appId, version, reviews, mean, stars } of body.versions)
    expect({ reviews, mean, stars }).toEqual(
      starsOf(
        versioned.filter(
          ({ platform: own, review }) =>
            own === platform && (review!.app?.id ?? null) === appId && review!.version === version,
        ),
      ),
    )
})

test('filters apply, and what is no review is never counted', async () => {
  const body = await ask('range=90d&ratings=1,2')
  expect(body.current.reviews).toBe(cast.mentions.filter(({ review }) => review !== null && review.rating <= 2).length)
  expect((await ask('range=90d&platforms=reddit')).current).toEqual(starsOf([]))
})

test('without reviews there is no mean and nothing changed', async () => {
  expect(await ask('from=2001-01-01&to=2001-01-02&compare=true')).toMatchObject({
    current: { reviews: 0, mean: null },
    change: { reviews: null, mean: null },
    apps: [],
    storefronts: [],
    versions: [],
  })
})
