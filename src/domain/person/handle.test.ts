import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { authorKeysOf, parseAuthorEntry } from '../post/author-entry.ts'
import {
  HANDLE_PLATFORMS,
  type HandlePlatform,
  handlesOfEntry,
  keyOfId,
  keysOfHandle,
  platformOfIdKey,
} from './handle.ts'

const named = (entry: string) => handlesOfEntry(entry).map(({ platform, handle }) => `${platform} ${handle}`)
const DID = 'did:plc:z72i7hdynmk6r22z27h6tvur'
const CHANNEL = 'UC_x5XG1OV2P6uZZ5FSM9Ttw'

describe('a handle', () => {
  test.each([
    '@Acme.bsky.social',
    'acme.bsky.social',
    'https://bsky.app/profile/acme.bsky.social',
    'https://bsky.app/profile/acme.bsky.social/post/3kabc',
  ])('of Bluesky alone is found in %s', (entry) => expect(named(entry)).toEqual(['bluesky acme.bsky.social']))

  test.each([
    ['https://x.com/Acme', ['x acme']],
    ['https://mobile.twitter.com/@acme', ['x acme']],
    ['https://x.com/intent/follow?screen_name=acme', ['x acme']],
    ['https://x.com/acme/status/4711', ['x acme']],
    ['https://www.youtube.com/@Acme.Films/videos', ['youtube acme.films']],
    ['https://www.youtube.com/@Müller', ['youtube müller']],
    ['@Acme', ['x acme', 'youtube acme']],
    ['＠acme', ['x acme', 'youtube acme']],
    ['@ab', ['x ab']],
    ['@acme-films', ['youtube acme-films']],
    ['@a_name_of_16_char', ['youtube a_name_of_16_char']],
  ])('is found in %s', (entry, handles) => expect(named(entry)).toEqual(handles))

  test.each([
    'acme',
    'Acme Notes',
    '@acme notes',
    'acme notes.com',
    DID,
    `https://bsky.app/profile/did:web:example.com`,
    'https://x.com/i/user/42',
    'https://x.com/i/status/4711',
    'https://www.youtube.com/c/acme',
    `https://www.youtube.com/channel/${CHANNEL}`,
    'https://github.com/acme',
    'https://example.com/authors/acme',
    'v1.5',
    '-acme.com',
    'acme-.com',
    '.com',
    'acme..com',
    `${'a'.repeat(64)}.com`,
    `${'abcdefgh.'.repeat(30)}com`,
    'müller.de',
    `@${'a'.repeat(31)}`,
    '',
  ])('is not found in %s', (entry) => expect(named(entry)).toEqual([]))

  const label = fc.stringMatching(/^[a-z][a-z0-9]{2,10}$/)
  test.each([
    ['bluesky', fc.array(label, { minLength: 2, maxLength: 4 }).map((labels) => labels.join('.'))],
    ['x', label],
    ['youtube', label],
  ] as [HandlePlatform, fc.Arbitrary<string>][])(
    'of %s is named by every key that leads to it, by which its posts are compared',
    (platform, names) => {
      fc.assert(
        fc.property(names, (handle) => {
          const keys = keysOfHandle({ platform, handle })
          const author = { id: null, name: null, handle, url: null, avatarUrl: null, followers: null, automated: null }
          expect(keys.every((key) => authorKeysOf(platform, author).includes(key))).toBe(true)
          for (const entry of [keys[0]!, `@${handle}`]) {
            expect(handlesOfEntry(entry)).toContainEqual({ platform, handle })
            const parsed = parseAuthorEntry(entry)
            expect(keys).toContain('normal' in parsed && parsed.normal)
          }
        }),
      )
    },
  )

  test('of any text is answered without an error', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), (entry) =>
        handlesOfEntry(entry).every(({ platform }) => (HANDLE_PLATFORMS as readonly string[]).includes(platform)),
      ),
    )
  })
})

describe('the key of an id', () => {
  test.each([
    ['bluesky', DID],
    ['x', '42'],
    ['youtube', CHANNEL],
  ] as const)('of %s is what a post that carries nothing but the id is compared by', (platform, id) => {
    const author = { id, name: null, handle: null, url: null, avatarUrl: null, followers: null, automated: null }
    const key = keyOfId(platform, id)
    expect(authorKeysOf(platform, author)).toContain(key)
    expect(platformOfIdKey(key!)).toBe(platform)
  })

  test.each([
    ['bluesky', 'acme.bsky.social'],
    ['bluesky', ''],
    ['bluesky', 'did:plc:'],
    ['bluesky', 'did:plc:a/../b'],
    ['bluesky', 'nonsense'],
    ['x', 'acme'],
    ['x', 'https://x.com/victim'],
    ['youtube', 'acme'],
  ] as const)('of %s is not made of %j', (platform, id) => expect(keyOfId(platform, id)).toBeNull())

  test.each([
    'https://x.com/acme',
    'https://www.youtube.com/@acme',
    'https://bsky.app/profile/acme.bsky.social',
    'acme',
  ])('is none that names a handle: %s', (key) => expect(platformOfIdKey(key)).toBeNull())
})
