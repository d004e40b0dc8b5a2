import { beforeEach, expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, score, store, type TestKeyword } from '../../../test/mentions.ts'
import { liftWelcomeLimits } from '../../../test/rows.ts'
import { useFreshWorkspace, useWorld } from '../../../test/use-world.ts'
import { removePosts } from '../../commands/mentions/remove-posts.ts'
import type { Post } from '../../domain/post/post.ts'
import { postId } from '../../domain/post/post-id.ts'
import { DAY_MS, MINUTE_MS } from '../../kernel/clock.ts'

let keyword: TestKeyword
const world = useWorld()

/** Twenty noise posts on reddit and twelve relevant ones on hackernews. */
const acme = useFreshWorkspace(world, 'Acme')
beforeEach(async () => {
  // On welcome credit so much noise would stop the keyword.
  await liftWelcomeLimits(world)
  keyword = await makeKeyword(acme, { term: 'python' })
  await posted(20, 10, 'reddit')
  await posted(12, 90, 'hackernews')
})

async function posted(count: number, relevance: number, platform: Post['platform']): Promise<void> {
  const posts = Array.from({ length: count }, () => makePost(world, { text: 'python', platform }))
  await score(
    world,
    await store(
      world,
      posts.map((post) => matchedBy(post, [keyword])),
    ),
    { relevance },
  )
}

const health = async () => (await acme.api('GET', `/v1/keywords/${keyword.shown.id}/health`)).body

test('what its platform has deleted is in no figure but the cost', async () => {
  const before = (await health()).stats
  expect(before).toMatchObject({ matches: 32, relevant: 12, filtered: 20, workspaceShare: 20 / 32 })
  // Matched on one day, scored on the next.
  const [early, unscored] = ['reddit', 'hackernews'].map((platform) =>
    makePost(world, { text: 'python', platform: platform as Post['platform'] }),
  )
  const [mention] = await store(world, [matchedBy(early!, [keyword]), matchedBy(unscored!, [keyword])])
  await world.clock.advance(DAY_MS)
  await score(world, [mention!], { relevance: 90 })
  await world.clock.advance(7 * DAY_MS)
  const late = makePost(world, { text: 'python', platform: 'reddit' })
  await score(world, await store(world, [matchedBy(late, [keyword])]), { relevance: 10 })
  expect((await health()).stats).toMatchObject({ matches: 35, relevant: 13, filtered: 21 })

  const ids = [late, early!, unscored!].map((post) => postId(post.platform, post.nativeId))
  await world.db.transaction((tx) => removePosts(tx, ids, world.clock.now()))
  await world.clock.advance(5 * MINUTE_MS)
  const { stats, sample } = await health()
  expect(stats).toMatchObject({
    matches: 32,
    relevant: 12,
    filtered: 20,
    unscored: 0,
    noiseShare: 20 / 32,
    workspaceShare: 20 / 32,
  })
  expect(stats.byPlatform).toEqual(before.byPlatform)
  expect(
    stats.weekly.filter(({ matches, relevant }: { matches: number; relevant: number }) => matches + relevant !== 0),
  ).toMatchObject([{ matches: 32, relevant: 12 }])
  expect(stats.cost).toMatchObject({ billableMentions: 34, mentionCents: 27 })
  expect(sample).toEqual({ noise: 20, relevant: 12 })
  const usage = (await acme.api('GET', '/v1/usage/breakdown?range=30d')).body
  expect(usage.data.find((row: { keyword: { id: string } }) => row.keyword.id === keyword.shown.id)).toMatchObject({
    billableMentions: 34,
  })
})

test('what was deleted counts as little for the status after a change that lies further back', async () => {
  await world.clock.advance(MINUTE_MS)
  await acme.api('PATCH', `/v1/keywords/${keyword.shown.id}`, { context: 'The language.' })
  await world.clock.advance(DAY_MS)
  await posted(19, 10, 'reddit')
  const extra = makePost(world, { text: 'python' })
  await score(world, await store(world, [matchedBy(extra, [keyword])]), { relevance: 10 })
  await world.clock.advance(20 * DAY_MS)
  expect((await health()).status).toBe('noisy')
  await world.db.transaction((tx) => removePosts(tx, [postId(extra.platform, extra.nativeId)], world.clock.now()))
  await world.clock.advance(5 * MINUTE_MS)
  expect((await health()).status).not.toBe('noisy')
})
