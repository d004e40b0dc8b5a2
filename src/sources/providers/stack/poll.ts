import type { Post } from '../../../domain/post/post.ts'
import type { CollectContext, Cursor, Limit, SourceBatch } from '../../contract.ts'
import { readItems } from '../../read-items.ts'
import type { Api } from './api.ts'
import { advance, FLOWS, type Flow, fromSeconds, positionFrom, toCursor } from './position.ts'
import type { StackSite } from './site.ts'
import { commentId, commentToPost, isComment, postToPost } from './to-post.ts'
import { comment, post } from './wire.ts'

/** With 100 items each this is most of a day. */
const MAX_PAGES = 20

interface Item {
  nativeId: string
  seconds: number
  post: Post | null
}

/** The quota of a day of the whole network. */
export function stackLimits(key: string | null): Limit[] {
  return [
    { quota: 'requests', kind: 'daily', most: key === null ? 300 : 10_000, timeZone: 'UTC' },
    { quota: 'requests', kind: 'paced', most: 30, perSeconds: 1, burst: 10 },
  ]
}

/** Every new question, answer and comment of one site. */
export async function* pollSite(context: CollectContext, api: Api, cursor: Cursor | null): AsyncIterable<SourceBatch> {
  const atSeconds = Math.floor(context.at.getTime() / 1000)
  const position = positionFrom(cursor, atSeconds, isComment)
  let handedOver = false
  for (const flow of FLOWS) {
    for await (const items of pages(context, api, flow, fromSeconds(position, flow))) {
      const fresh = advance(position, flow, items, atSeconds)
      const events = fresh.flatMap((item): SourceBatch['events'] =>
        item.post === null ? [] : [{ kind: 'post', post: item.post }],
      )
      if (fresh.length === 0) continue
      handedOver = true
      yield { events, cursor: toCursor(position) }
    }
  }
  // An empty first poll still needs a cursor.
  if (!handedOver && cursor === null) yield { events: [], cursor: toCursor(position) }
}

/**
 * Pages by time, so that a removed item does not shift another out of sight; only within one second pages are numbered.
 */
async function* pages(context: CollectContext, api: Api, flow: Flow, startSeconds: number): AsyncIterable<Item[]> {
  let from = startSeconds
  let page = 1
  for (let asked = 0; asked < MAX_PAGES; asked += 1) {
    const { items: raw, more } = await api.list(flow, { order: 'asc', sort: 'creation', fromdate: from, page })
    const items = flow === 'posts' ? readPosts(raw, context, api.site) : readComments(raw, context, api.site)
    yield items
    if (!more || items.length === 0) return
    const last = Math.max(...items.map((item) => item.seconds))
    page = last > from ? 1 : page + 1
    from = Math.max(from, last)
  }
}

function readPosts(raw: readonly unknown[], context: CollectContext, site: StackSite): Item[] {
  const posts = readItems(raw, post, context, site.platform)
  return posts.map((post) => ({
    nativeId: String(post.post_id),
    seconds: post.creation_date,
    post: postToPost(post, site, context.at),
  }))
}

function readComments(raw: readonly unknown[], context: CollectContext, site: StackSite): Item[] {
  const comments = readItems(raw, comment, context, site.platform)
  return comments.map((comment) => ({
    nativeId: commentId(comment.comment_id),
    seconds: comment.creation_date,
    post: commentToPost(comment, site, context.at),
  }))
}
