import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { madeUpPost } from '../../../test/makers.ts'
import type { MatchedPost } from '../../domain/mention/matched-post.ts'
import { postId } from '../../domain/post/post-id.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Changes, changeBatchesOf, isNothing, mergeChanges, sizeOf } from './changes.ts'

const AT = new Date('2026-11-20T09:30:00.000Z')

function matchedPost(nativeId: string, author: string, text: string, keywords: readonly string[]): MatchedPost {
  const made = madeUpPost(AT, text)
  return {
    post: { ...made, nativeId, author: { ...made.author!, id: author } },
    words: text.split(' '),
    authorKeys: [],
    keywords: keywords.map((keyword) => ({ workspaceId: 'w' as Uuid, keywordId: keyword as Uuid })),
  }
}

function changes(more: {
  matched?: readonly MatchedPost[]
  gone?: readonly string[]
  goneAuthors?: readonly string[]
}): Changes {
  return {
    matched: new Map((more.matched ?? []).map((post) => [post.post.nativeId, post])),
    goneIds: new Set((more.gone ?? []).map((id) => postId('bluesky', id))),
    goneAuthors: new Set(more.goneAuthors ?? []),
  }
}

/** What the store holds: the text, the author and the keywords of each post. */
type Held = Map<string, { text: string; author: string; keywords: Set<string> }>

/**
 * What storing comes to: what went goes first, and a post that is there already gets its newer text and further
 * keywords.
 */
function apply(held: Held, { matched, goneIds, goneAuthors }: Changes): Held {
  const after: Held = new Map(
    [...held].filter(([id, { author }]) => !goneIds.has(postId('bluesky', id)) && !goneAuthors.has(author)),
  )
  for (const [id, { post, keywords }] of matched) {
    const before = after.get(id)?.keywords ?? []
    after.set(id, {
      text: post.text,
      author: post.author!.id!,
      keywords: new Set([...before, ...keywords.map(({ keywordId }) => keywordId)]),
    })
  }
  return after
}

describe('changes that follow each other', () => {
  const ids = fc.constantFrom('1', '2', '3', '4')
  const authorOf = (id: string) => (id < '3' ? 'ann' : 'bob')
  const post = fc.record({
    id: ids,
    text: fc.constantFrom('old', 'new', 'newest'),
    keywords: fc.subarray(['k1', 'k2', 'k3'], { minLength: 1 }),
  })
  const part = fc.record({
    matched: fc.uniqueArray(post, { selector: ({ id }) => id, maxLength: 3 }),
    gone: fc.subarray(['1', '2', '3', '4'], { maxLength: 2 }),
    goneAuthors: fc.subarray(['ann', 'bob'], { maxLength: 1 }),
  })

  test('come to the same together as one after the other', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), fc.array(part, { maxLength: 2 }), (parts, earlier) => {
        const made = (item: (typeof parts)[number]) =>
          changes({
            ...item,
            matched: item.matched.map(({ id, text, keywords }) => matchedPost(id, authorOf(id), text, keywords)),
          })
        const held = earlier.map(made).reduce(apply, new Map())
        const sequence = parts.map(made)
        expect(apply(held, mergeChanges(sequence))).toEqual(sequence.reduce(apply, held))
      }),
      { numRuns: 1000 },
    )
  })

  test('are left as they were', () => {
    const first = changes({ matched: [matchedPost('1', 'ann', 'one', ['k1'])] })
    mergeChanges([first, changes({ gone: ['1'] }), changes({ goneAuthors: ['ann'] })])
    expect([...first.matched.keys()]).toEqual(['1'])
  })
})

test('nothing to store is known as such, and everything else has a size', () => {
  expect(isNothing(changes({}))).toBe(true)
  for (const item of [changes({ gone: ['1'] }), changes({ goneAuthors: ['ann'] })]) {
    expect(isNothing(item)).toBe(false)
    expect(sizeOf(item)).toMatchObject({ posts: 1, mentions: 0 })
  }
  const post = matchedPost('1', 'ann', 'x'.repeat(1000), ['k1', 'k2'])
  expect(sizeOf(changes({ matched: [post] }))).toMatchObject({ posts: 1, mentions: 2 })
  expect(sizeOf(changes({ matched: [post] })).bytes).toBeGreaterThan(2000)
})

test('portions hold every post once and stay within their size unless one post alone passes it', () => {
  const posts = [3, 4, 1, 9, 2, 5].map((count, at) =>
    matchedPost(
      String(at),
      'ann',
      'text',
      Array.from({ length: count }, (_, number) => `k${number}`),
    ),
  )
  const portions = changeBatchesOf(posts, 7)
  expect(portions.map((portion) => portion.map(({ keywords }) => keywords.length))).toEqual([[3, 4], [1], [9], [2, 5]])
  expect(changeBatchesOf([], 7)).toEqual([])
})
