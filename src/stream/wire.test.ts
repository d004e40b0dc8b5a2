import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { madeUpPost } from '../../test/makers.ts'
import type { SourceEvent } from '../sources/contract.ts'
import { encodeEvent } from './contract.ts'
import { readMessage, writeMessage } from './wire.ts'

const AT = new Date('2026-11-27T12:00:00Z')
const CURSOR = { timeUs: 5, pending: ['a', 'b'], name: 'x' }
const REVIEW = {
  rating: 4.5,
  ratingMax: 5,
  title: 'Fine',
  version: null,
  country: 'de',
  verified: true,
  response: 'Thanks',
  responseAt: AT,
  app: { platform: 'appstore' as const, id: '1', url: 'https://apps.example/1' },
}
const EVENTS: SourceEvent[] = [
  { kind: 'post', post: { ...madeUpPost(AT, 'A \ud83d\ude80 "text"\n'), review: REVIEW, author: null } },
  { kind: 'post_gone', platform: 'bluesky', nativeId: '1' },
  { kind: 'author_gone', platform: 'bluesky', authorId: 'did:plc:somebody' },
  { kind: 'post', post: madeUpPost(AT, 'b'.repeat(8192)) },
]

function written(events: readonly SourceEvent[], cursor: typeof CURSOR | null = CURSOR) {
  return writeMessage('bluesky', { events: events.map(encodeEvent), cursor }, { number: 7, posts: 40 })
}

function packed(message: unknown): Uint8Array {
  return gzipSync(JSON.stringify(message))
}

const HEAD = { form: 1, id: 'a', platform: 'bluesky', posts: 1, held: 1, cursor: null, events: [] }

test('a message is read as it was written, events in their order', () => {
  const { id, posts, data } = written(EVENTS)
  expect(posts).toBe(42)
  expect(readMessage('bluesky', data)).toEqual({ id, posts: 42, held: 2, cursor: CURSOR, events: EVENTS, invalid: 0 })
})

test('the same message has the same id, another place or cursor another', () => {
  expect(written(EVENTS).id).toBe(written(EVENTS).id)
  const others = [
    written(EVENTS, null),
    written(EVENTS.slice(1)),
    writeMessage('mastodon', { events: EVENTS.map(encodeEvent), cursor: CURSOR }, { number: 7, posts: 40 }),
    writeMessage('bluesky', { events: EVENTS.map(encodeEvent), cursor: CURSOR }, { number: 8, posts: 40 }),
  ]
  expect(new Set([written(EVENTS).id, ...others.map(({ id }) => id)]).size).toBe(5)
})

describe('messages of others', () => {
  test.each([
    ['no archive', Buffer.from('{}')],
    ['no JSON', gzipSync('{')],
    ['no message', packed([1])],
    ['another platform', packed({ ...HEAD, platform: 'mastodon' })],
    ['a count that is none', packed({ ...HEAD, posts: -1 })],
    ['more than it may unpack to', gzipSync(' '.repeat(5 * 1024 * 1024))],
  ])('%s is not read', (_, data) => {
    expect(readMessage('bluesky', data)).toBeNull()
  })

  test('of a later version stops the reader, who must not pass it', () => {
    for (const message of [{ ...HEAD, form: 2 }, { form: 2 }])
      expect(() => readMessage('bluesky', packed(message))).toThrow('upgrade')
  })

  test('events with an unexpected form are left out and counted', () => {
    const post = madeUpPost(AT, 'fine')
    const events = [
      { kind: 'post', post },
      { kind: 'post', post: { ...post, text: 'x'.repeat(9000) } },
      { kind: 'post', post: { ...post, publishedAt: 'yesterday' } },
      { kind: 'post', post: { ...post, platform: 'mastodon' } },
      { kind: 'post_gone', platform: 'bluesky' },
      { kind: 'post_eaten', platform: 'bluesky', nativeId: '1' },
      null,
    ]
    const read = readMessage('bluesky', packed({ ...HEAD, events }))
    expect(read).toMatchObject({ events: [{ kind: 'post', post: { text: 'fine', publishedAt: AT } }], invalid: 6 })
  })
})
