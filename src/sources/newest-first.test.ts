import { expect, test } from 'vitest'
import { batchOf, newestFirst } from './newest-first.ts'
import { normalPost } from './normal-post.ts'

const AT = new Date('2026-11-21T12:00:00Z')
const hoursAgo = (hours: number) => new Date(AT.getTime() - hours * 3_600_000)
const post = (nativeId: string, hours: number) =>
  normalPost(
    { platform: 'github', nativeId, url: `https://github.com/${nativeId}`, text: 'x', publishedAt: hoursAgo(hours) },
    AT,
  )!
const FOUND = [post('b', 2), null, post('old', 4), post('a', 1), post('c', 3)]
const ids = (posts: { nativeId: string }[]) => posts.map(({ nativeId }) => nativeId)

test('posts come newest first, from an instant on, that instant included, and no more than are wanted', () => {
  expect(ids(newestFirst(FOUND, hoursAgo(3)))).toEqual(['a', 'b', 'c'])
  expect(ids(newestFirst(FOUND, hoursAgo(3), 2))).toEqual(['a', 'b'])
})

test('nothing is handed over as no portion', () => {
  expect([...batchOf(FOUND, hoursAgo(3))].map(ids)).toEqual([['a', 'b', 'c']])
  expect([...batchOf([null, post('old', 4)], hoursAgo(3))]).toEqual([])
})
