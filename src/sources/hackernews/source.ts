import { z } from 'zod'
import { PLATFORM_FACTS } from '../../domain/platform/platforms.ts'
import type { Post } from '../../domain/post/post.ts'
import { trimOldest } from '../../kernel/concurrency/bounded-cache.ts'
import type { CollectContext, Cursor, SourceBatch, StreamSource } from '../contract.ts'
import { askIndex, type FoundItems, HOST, REACH } from './api.ts'
import { enrich } from './enrich.ts'
import { searching } from './search.ts'
import { toPost } from './to-post.ts'
import type { Hit } from './wire.ts'

/** The index is not filled in order of time. */
const OVERLAP_SECONDS = 600
const FIRST_LOOK_BACK_SECONDS = 60
/** The site has about 300 items in ten minutes; items of evicted ids repeat. */
const IDS_MAX = 4000

/** `seen` holds `id:seconds` of the items within the overlap. */
const cursorShape = z.object({ sinceSeconds: z.int(), newestSeconds: z.int(), seen: z.array(z.string()) })
type Place = { sinceSeconds: number; newestSeconds: number; seen: Map<string, number> }

/** Every story and comment, from the search index of Algolia. */
export function hackernews(): StreamSource {
  // 10,000 requests an hour per address.
  const limits = [{ quota: 'requests', kind: 'paced', most: 10_000, perSeconds: 3600, burst: 100 }] as const
  return {
    platform: 'hackernews',
    hosts: [HOST],
    limits,
    mode: 'stream',
    pollSeconds: PLATFORM_FACTS.hackernews.pollSeconds,
    poll,
    searching,
    enrich,
  }
}

async function* poll(context: CollectContext, cursor: Cursor | null): AsyncIterable<SourceBatch> {
  const atSeconds = Math.floor(context.at.getTime() / 1000)
  const place = placeFrom(cursor, atSeconds)
  const fromSeconds = Math.max(place.newestSeconds - OVERLAP_SECONDS, place.sinceSeconds)
  let handedOver = false
  for await (const hits of windows(context, fromSeconds, null)) {
    const events = advance(place, hits, atSeconds, context)
    if (events.length === 0) continue
    handedOver = true
    yield { events, cursor: toCursor(place) }
  }
  // An empty first poll still needs a cursor.
  if (!handedOver && cursor === null) yield { events: [], cursor: toCursor(place) }
}

/**
 * Oldest first; `fromSeconds` exclusive, `toSeconds` inclusive. Halves the window until one reply carries it, so that
 * nothing is lost while the index grows.
 */
async function* windows(context: CollectContext, fromSeconds: number, toSeconds: number | null): AsyncIterable<Hit[]> {
  const found = await askIndex(context, { fromSeconds, toSeconds, page: 0, size: REACH })
  if (found.whole) return yield found.hits
  const lastSeconds = toSeconds ?? Math.max(...found.hits.map((hit) => hit.created_at_i))
  if (lastSeconds - fromSeconds <= 1) return yield* pages(context, fromSeconds, lastSeconds, found)
  const middleSeconds = Math.floor((fromSeconds + lastSeconds) / 2)
  yield* windows(context, fromSeconds, middleSeconds)
  yield* windows(context, middleSeconds, lastSeconds)
}

/** A single second cannot be halved: logs what lies beyond the index's limit. */
async function* pages(
  context: CollectContext,
  fromSeconds: number,
  toSeconds: number,
  first: FoundItems,
): AsyncIterable<Hit[]> {
  yield first.hits
  for (let page = 1; page < Math.min(first.pages, REACH); page += 1) {
    const next = await askIndex(context, { fromSeconds, toSeconds, page, size: REACH })
    if (next.hits.length > 0) yield next.hits
    if (next.whole) return
  }
  context.log.warn(
    { event: 'source.second_overflowed', platform: 'hackernews', second: toSeconds },
    'One second holds more items than the index returns',
  )
}

/** Returns the new events, oldest first. */
function advance(place: Place, hits: Hit[], atSeconds: number, context: CollectContext): SourceBatch['events'] {
  const fresh = hits
    .filter((hit) => !place.seen.has(hit.objectID))
    .sort((a, b) => a.created_at_i - b.created_at_i || Number(a.objectID) - Number(b.objectID))
  for (const item of fresh) {
    place.seen.set(item.objectID, item.created_at_i)
    // A time ahead of our clock would move the cursor past later items.
    place.newestSeconds = Math.max(place.newestSeconds, Math.min(item.created_at_i, atSeconds))
  }
  evictOldIds(place)
  const posts = fresh.map((item) => toPost(item, context.at)).filter((post): post is Post => post !== null)
  return posts.map((post) => ({ kind: 'post', post }))
}

function evictOldIds(place: Place): void {
  const floorSeconds = Math.max(place.newestSeconds - OVERLAP_SECONDS, place.sinceSeconds)
  for (const [id, seconds] of place.seen) if (seconds <= floorSeconds) place.seen.delete(id)
  trimOldest(place.seen, IDS_MAX)
}

function placeFrom(cursor: Cursor | null, atSeconds: number): Place {
  const startSeconds = atSeconds - FIRST_LOOK_BACK_SECONDS
  if (cursor === null) return { sinceSeconds: startSeconds, newestSeconds: startSeconds, seen: new Map() }
  const { seen, ...times } = cursorShape.parse(cursor)
  const entries = seen.map((entry): [string, number] => {
    const [id = '', seconds = ''] = entry.split(':')
    return [id, Number(seconds)]
  })
  return { ...times, seen: new Map(entries) }
}

function toCursor(place: Place): Cursor {
  return {
    sinceSeconds: place.sinceSeconds,
    newestSeconds: place.newestSeconds,
    seen: [...place.seen].map(([id, seconds]) => `${id}:${seconds}`),
  }
}
