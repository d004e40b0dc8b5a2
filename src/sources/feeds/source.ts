import { z } from 'zod'
import { PLATFORM_FACTS, platformOfFeed } from '../../domain/platform/platforms.ts'
import type { Post } from '../../domain/post/post.ts'
import { askPlace, faultOfPlace, type PlaceReply } from '../ask-place.ts'
import {
  ANY_HOST,
  type CollectContext,
  type Cursor,
  type FoundPlace,
  type Place,
  type PlacePoll,
  type PlacesSource,
  SourceFault,
} from '../contract.ts'
import { hostsOfPlace, placeAddress } from '../place-address.ts'
import { faultOfOdd } from '../read-items.ts'
import { Robots } from '../robots.ts'
import { feedsLinkedFrom } from './find-feed.ts'
import { type FeedHead, headOf, longest } from './items.ts'
import { readFeedBody } from './parse.ts'
import { type FeedAddress, itemId, timeOf, toPost } from './to-post.ts'

const ACCEPT =
  'application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, text/html;q=0.5, */*;q=0.5'
/** A feed that drops an item and shows it again must not repeat it. */
const REMEMBERED = 200
const MOST_ITEMS = 1000
/** Older items of a feed that is known are late, not new. */
const OLDEST_MS = 30 * 24 * 3_600_000
const MOST_REST_SECONDS = 86_400

/** `seen`: short ids of items, the newest last. */
const cursorShape = z.object({ etag: z.string(), modified: z.string(), seen: z.array(z.string()) })

/** Any RSS, Atom or JSON feed. */
export function feeds({ named }: { named: readonly string[] }): PlacesSource {
  const robots = new Robots()
  return {
    platform: 'feeds',
    hosts: [],
    limits: [],
    mode: 'places',
    pollSeconds: PLATFORM_FACTS.feeds.pollSeconds,
    named,
    hostsOf: hostsOfPlace,
    poll: (context, place, cursor) => poll(robots, context, place, cursor),
    find: (context, address) => find(robots, context, address),
  }
}

async function poll(robots: Robots, context: CollectContext, place: Place, stored: Cursor | null): Promise<PlacePoll> {
  const cursor = stored === null ? null : cursorShape.parse(stored)
  const { address } = place
  const hosts = hostsOfPlace(address)
  const validators = {
    ...(cursor?.etag ? { 'if-none-match': cursor.etag } : {}),
    ...(cursor?.modified ? { 'if-modified-since': cursor.modified } : {}),
  }
  const headers = { accept: ACCEPT, ...validators }
  const check = (each: string) => robots.check(context, each, hosts)
  const reply = await askPlace(context, { address, hosts, headers, check })
  if (reply.status === 304 && stored !== null)
    return { posts: [], cursor: stored, title: null, restSeconds: restOf(null, reply) }
  const fault = faultOfPlace(reply, context.at)
  if (fault) throw fault
  const head = feedIn(reply)
  const seen = cursor?.seen ?? []
  if (head.items.length === 0 && seen.length > 0)
    throw new SourceFault('shape_changed', 'The feed had items and has none now.')
  const feed = { address, link: head.link }
  const { posts, ids } = newIn(head, feed, place, { seen: new Set(seen), known: cursor !== null }, context)
  return {
    posts,
    cursor: {
      etag: headerOf(reply, 'etag'),
      modified: headerOf(reply, 'last-modified'),
      seen: remembered(seen, ids),
    },
    title: head.title,
    restSeconds: restOf(head, reply),
  }
}

function feedIn(reply: PlaceReply): FeedHead {
  try {
    return headOf(readFeedBody(reply.body))
  } catch (error) {
    const [linked] = error instanceof SourceFault ? feedsLinkedFrom(reply.body, reply.address) : []
    if (linked === undefined) throw error
    throw new SourceFault('shape_changed', `This is a page, whose feed is ${linked.slice(0, 300)}.`)
  }
}

/** The new items, oldest first, and the short ids of all. */
function newIn(
  head: FeedHead,
  feed: FeedAddress,
  { since }: Place,
  { seen, known }: { seen: ReadonlySet<string>; known: boolean },
  { at }: CollectContext,
): { posts: Post[]; ids: string[] } {
  const posts: Post[] = []
  const ids = new Set<string>()
  let odd = 0
  const items = head.items.slice(0, MOST_ITEMS)
  for (const item of items) {
    const id = itemId(item, feed)
    const short = id?.slice(0, 14)
    if (short === undefined) odd += 1
    if (short === undefined || ids.has(short)) continue
    ids.add(short)
    if (seen.has(short) || !isNew(timeOf(item.publishedAt), { since, at, known })) continue
    const post = toPost(item, feed, at)
    if (post === null) odd += 1
    else posts.push(post)
  }
  const fault = faultOfOdd(odd, items.length)
  if (fault) throw fault
  return { posts: posts.sort((a, b) => a.publishedAt.getTime() - b.publishedAt.getTime()), ids: [...ids].reverse() }
}

/** At the first sight only what was published since the feed was named is new. */
function isNew(
  publishedAt: Date | null,
  { since, at, known }: Pick<Place, 'since'> & { at: Date; known: boolean },
): boolean {
  if (!known) return publishedAt !== null && publishedAt >= since
  return publishedAt === null || publishedAt.getTime() > at.getTime() - OLDEST_MS
}

function remembered(before: readonly string[], present: readonly string[]): string[] {
  const shown = new Set(present)
  const earlier = before.filter((id) => !shown.has(id))
  const room = Math.max(0, REMEMBERED - present.length)
  return [...earlier.slice(Math.max(0, earlier.length - room)), ...present]
}

function restOf(head: FeedHead | null, reply: PlaceReply): number | null {
  const maxAge = headerOf(reply, 'cache-control').match(/\bmax-age=(\d{1,9})\b/i)?.[1]
  const seconds = longest(head?.restSeconds ?? null, maxAge === undefined ? null : Number(maxAge))
  return seconds === null ? null : Math.min(MOST_REST_SECONDS, Math.round(seconds))
}

function headerOf({ headers }: PlaceReply, name: string): string {
  const value = headers[name] ?? ''
  return value.length <= 500 ? value : ''
}

/** The feed at an address, or the first that can be read of those that the page there links to. */
async function find(robots: Robots, context: CollectContext, address: string): Promise<FoundPlace> {
  const first = await askFound(robots, context, address)
  const here = titleIn(first)
  if (here) return here
  let fault = new SourceFault('gone', 'There is no feed at this address, and the page names none.')
  for (const linked of feedsLinkedFrom(first.body, first.address)) {
    try {
      const found = titleIn(await askFound(robots, context, linked))
      if (found) return found
    } catch (error) {
      if (!(error instanceof SourceFault) || context.signal.aborted) throw error
      fault = error
    }
  }
  throw fault
}

async function askFound(robots: Robots, context: CollectContext, address: string): Promise<PlaceReply> {
  const check = (each: string) => checkFound(robots, context, each)
  const reply = await askPlace(context, { address, hosts: [ANY_HOST], headers: { accept: ACCEPT }, check })
  const fault = faultOfPlace(reply, context.at)
  if (fault) throw fault
  return reply
}

async function checkFound(robots: Robots, context: CollectContext, address: string): Promise<void> {
  const { host } = new URL(address)
  if (platformOfFeed(host) !== null) throw new SourceFault('gone', `A source of its own reads ${host}, without a feed.`)
  await robots.check(context, address, [ANY_HOST])
}

/** Null if the reply is no feed, or has an address that cannot be kept. */
function titleIn(reply: PlaceReply): FoundPlace | null {
  const address = placeAddress(reply.address)
  if (address === null) return null
  try {
    return { address, title: headOf(readFeedBody(reply.body)).title }
  } catch (error) {
    if (error instanceof SourceFault) return null
    throw error
  }
}
