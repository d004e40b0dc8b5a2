import { expect, test } from 'vitest'
import { makeKeyword } from '../../../test/mentions.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { removePosts } from '../../commands/mentions/remove-posts.ts'
import { HOUR_MS, plus } from '../../kernel/clock.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { pruneRejections, type Rejection, storeRejections } from '../../store/counts/rejections.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

function rejection(keyword: { uuid: Uuid; workspaceId: Uuid }, change: Partial<Rejection> = {}): Rejection {
  const at = world.clock.now()
  return {
    workspaceId: keyword.workspaceId,
    id: newUuid(at),
    keywordId: keyword.uuid,
    postId: newUuid(at),
    platform: 'bluesky',
    authorId: null,
    url: 'https://bsky.app/profile/a.example/post/1',
    excerpt: 'A post.',
    reason: 'excluded_term',
    publishedAt: at,
    ...change,
  }
}
const keep = (...rejections: Rejection[]) =>
  world.db.transaction((tx) => storeRejections(tx, rejections, world.clock.now()))
const list = async (id: string, query = '') => (await acme.api('GET', `/v1/keywords/${id}/rejected${query}`)).body

test('what was rejected is listed newest first, page by page, also for a read key, and no keyword sees that of another', async () => {
  const [keyword, empty] = [await makeKeyword(acme), await makeKeyword(acme)]
  for (const excerpt of ['one', 'two', 'three']) await keep(rejection(keyword, { excerpt }))
  const { data, nextCursor } = await list(keyword.shown.id, '?limit=2')
  expect(data.map(({ excerpt }: { excerpt: string }) => excerpt)).toEqual(['three', 'two'])
  expect(data[0]).toEqual({
    platform: 'bluesky',
    url: 'https://bsky.app/profile/a.example/post/1',
    excerpt: 'three',
    reason: 'excluded_term',
    publishedAt: world.clock.now().toISOString(),
    at: world.clock.now().toISOString(),
  })
  expect(await list(keyword.shown.id, `?limit=2&cursor=${nextCursor}`)).toMatchObject({
    data: [{ excerpt: 'one' }],
    nextCursor: null,
  })
  expect(await list(empty.shown.id)).toEqual({ data: [], nextCursor: null })
  expect((await list(empty.shown.id, `?cursor=${nextCursor}`)).error.code).toBe('not_found')
  expect((await list(keyword.shown.id, '?cursor=nonsense')).error.code).toBe('invalid_cursor')
  const path = `/v1/keywords/${keyword.shown.id}/rejected`
  expect((await acme.api('GET', path, undefined, { key: acme.readKey })).status).toBe(200)
  const other = await world.workspace('Other')
  expect((await other.api('GET', path)).status).toBe(404)
})

test('a keyword has a hundred a day, each post once', async () => {
  const keyword = await makeKeyword(acme)
  const same = rejection(keyword)
  await keep(same, ...Array.from({ length: 69 }, () => rejection(keyword)))
  await keep({ ...same, id: newUuid(world.clock.now()), reason: 'cap' })
  await keep(...Array.from({ length: 70 }, () => rejection(keyword)))
  const first = await list(keyword.shown.id, '?limit=100')
  expect([first.data.length, first.nextCursor]).toEqual([100, null])
})

test('a day later nothing is shown, nor kept', async () => {
  const keyword = await makeKeyword(acme)
  await keep(rejection(keyword))
  await world.clock.advance(24 * HOUR_MS)
  await keep(rejection(keyword, { excerpt: 'later' }))
  expect((await list(keyword.shown.id)).data).toMatchObject([{ excerpt: 'later' }])
  expect(await pruneRejections(world.db, plus(world.clock.now(), -HOUR_MS))).toBeGreaterThan(0)
  expect((await list(keyword.shown.id)).data).toHaveLength(1)
})

test('what is deleted on its platform is deleted here, and what belonged to a keyword goes with it', async () => {
  const [keyword, going] = [await makeKeyword(acme), await makeKeyword(acme)]
  const [gone, kept] = [rejection(keyword), rejection(keyword, { excerpt: 'kept' })]
  await keep(gone, kept, rejection(going))
  await world.db.transaction((tx) => removePosts(tx, [gone.postId], world.clock.now()))
  expect((await list(keyword.shown.id)).data).toMatchObject([{ excerpt: 'kept' }])
  expect((await acme.api('DELETE', `/v1/keywords/${going.shown.id}`)).status).toBe(204)
  // Nor does it fail the others that it is told of one more.
  await keep(rejection(going), rejection(keyword))
  expect((await list(keyword.shown.id)).data).toHaveLength(2)
})
