import { expect, test } from 'vitest'
import { posted } from '../../../test/stand-ins/pipeline.ts'
import { createTape } from '../../../test/stand-ins/tape.ts'
import type { MatchedPost } from '../../domain/mention/matched-post.ts'
import type { Post } from '../../domain/post/post.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { CollectContext, SourceEvent } from '../../sources/contract.ts'
import { mergeChanges } from '../watch/changes.ts'
import { type Brought, readHere } from './read.ts'

const AT = new Date('2026-11-20T09:30:00.000Z')

/** Each word of a post is a keyword, small ones apart. */
function match(post: Post): MatchedPost | null {
  const keywords = post.text.split(' ').filter((word) => word !== word.toLowerCase())
  return keywords.length === 0
    ? null
    : {
        post,
        words: [],
        authorKeys: [],
        keywords: keywords.map((word) => ({ workspaceId: 'w' as Uuid, keywordId: word as Uuid })),
      }
}

async function read(batches: readonly (readonly SourceEvent[])[]): Promise<Brought[]> {
  const tape = createTape()
  const ending = new AbortController()
  const brought: Brought[] = []
  const reader = readHere({
    watch: { match, noteRead: () => undefined },
    contextFor: (_, at, signal) => ({ at, signal }) as CollectContext,
  })
  for (const events of batches) tape.add(...events)
  for await (const item of reader(tape.source, { at: AT, cursor: { batches: 0 }, signal: ending.signal })) {
    brought.push(item)
    if (brought.length === batches.length) ending.abort()
  }
  return brought
}

const first = posted(AT, 'Acme Rocket')
const form = (text: string) => ({ ...first, post: { ...first.post, text } })
const gone = { kind: 'post_gone' as const, platform: first.post.platform, nativeId: first.post.nativeId }
const authorGone = { kind: 'author_gone' as const, platform: first.post.platform, authorId: first.post.author!.id! }

test.each([
  ['edited', [first, form('Acme Widget')]],
  ['edited into what nobody wants', [first, form('nothing')]],
  ['edited into what somebody wants', [form('nothing'), first]],
  ['edited and removed', [first, form('Acme Widget'), gone]],
  ['removed with its author and made anew', [first, form('Acme Widget'), authorGone, form('Widget')]],
])('a post that is %s comes to the same within a batch as over several', async (_, events) => {
  const [together] = await read([events])
  const apart = await read(events.map((event) => [event]))
  expect(together!.changes).toEqual(mergeChanges(apart.map(({ changes }) => changes)))
  expect(together!.posts).toBe(apart.reduce((sum, { posts }) => sum + posts, 0))
})
