import { PLATFORM_FACTS } from '../../domain/platform/platforms.ts'
import type { Post } from '../../domain/post/post.ts'
import type { CollectContext, Cursor, Limit, SourceBatch, StreamSource } from '../contract.ts'
import { readItems } from '../read-items.ts'
import { type Api, HOST, stackApi } from './api.ts'
import { fillIn } from './fill-in.ts'
import { advance, FLOWS, type Flow, fromSeconds, placeFrom, toCursor } from './place.ts'
import { search } from './search.ts'
import { commentId, commentToPost, isComment, postToPost } from './to-post.ts'
import { comment, post } from './wire.ts'

/** With 100 items each this is most of a day. */
const MAX_PAGES = 20

/** A third of the 300 requests a day is left for catching up and searches. */
const KEYLESS_POLL_SECONDS = 900

interface Item {
  nativeId: string
  seconds: number
  post: Post | null
}

/** A free key makes the daily quota thirty times as large. */
export function stackoverflow({ key }: { key: string | null }): StreamSource {
  const open = stackApi(key)
  const limits: Limit[] = [
    { quota: 'requests', kind: 'daily', most: key === null ? 300 : 10_000, timeZone: 'UTC' },
    { quota: 'requests', kind: 'paced', most: 30, perSeconds: 1, burst: 10 },
  ]
  return {
    platform: 'stackoverflow',
    hosts: [HOST],
    limits,
    mode: 'stream',
    pollSeconds: key === null ? KEYLESS_POLL_SECONDS : PLATFORM_FACTS.stackoverflow.pollSeconds,
    poll: (context, cursor) => poll(context, open(context), cursor),
    searching: { termsPerSearch: 1, search: (context, query) => search(context, open(context), query) },
    // Without a key the polls take nearly all of the quota.
    ...(key === null
      ? {}
      : { enrich: (context: CollectContext, posts: readonly Post[]) => fillIn(context, open(context), posts) }),
  }
}

async function* poll(context: CollectContext, api: Api, cursor: Cursor | null): AsyncIterable<SourceBatch> {
  const atSeconds = Math.floor(context.at.getTime() / 1000)
  const place = placeFrom(cursor, atSeconds, isComment)
  let handedOver = false
  for (const flow of FLOWS) {
    for await (const items of pages(context, api, flow, fromSeconds(place, flow))) {
      const fresh = advance(place, flow, items, atSeconds)
      const events = fresh.flatMap((item): SourceBatch['events'] =>
        item.post === null ? [] : [{ kind: 'post', post: item.post }],
      )
      if (fresh.length === 0) continue
      handedOver = true
      yield { events, cursor: toCursor(place) }
    }
  }
  // An empty first poll still needs a cursor.
  if (!handedOver && cursor === null) yield { events: [], cursor: toCursor(place) }
}

/**
 * Pages by time, so that a removed item does not shift another out of sight; only within one second pages are numbered.
 */
async function* pages(context: CollectContext, api: Api, flow: Flow, startSeconds: number): AsyncIterable<Item[]> {
  let from = startSeconds
  let page = 1
  for (let asked = 0; asked < MAX_PAGES; asked += 1) {
    const { items: raw, more } = await api.list(flow, { order: 'asc', sort: 'creation', fromdate: from, page })
    const items = flow === 'posts' ? readPosts(raw, context) : readComments(raw, context)
    yield items
    if (!more || items.length === 0) return
    const last = Math.max(...items.map((item) => item.seconds))
    page = last > from ? 1 : page + 1
    from = Math.max(from, last)
  }
}

function readPosts(raw: readonly unknown[], context: CollectContext): Item[] {
  const posts = readItems(raw, post, context, 'stackoverflow')
  return posts.map((post) => ({
    nativeId: String(post.post_id),
    seconds: post.creation_date,
    post: postToPost(post, context.at),
  }))
}

function readComments(raw: readonly unknown[], context: CollectContext): Item[] {
  const comments = readItems(raw, comment, context, 'stackoverflow')
  return comments.map((comment) => ({
    nativeId: commentId(comment.comment_id),
    seconds: comment.creation_date,
    post: commentToPost(comment, context.at),
  }))
}
