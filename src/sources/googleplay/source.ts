import { PLATFORM_FACTS } from '../../domain/platform/platforms.ts'
import { DEFAULT_REVIEW_COUNTRY, DEFAULT_REVIEW_LANGUAGE } from '../../domain/platform/storefront.ts'
import type { Post } from '../../domain/post/post.ts'
import { type CollectContext, type PageSource, type ReviewPageQuery, SourceFault } from '../contract.ts'
import { askReviews, CALLS, type Call, ensureApp, HOST, NothingFound, type ReviewBatch } from './batch.ts'
import { type App, toPost } from './to-post.ts'
import type { PlayReview } from './wire.ts'

const DAY_SECONDS = 86_400
/** About 2,000 reviews: more than most apps get between polls. */
const MOST_PAGES = 10
const NOT_UNDERSTOOD = 'the shop no longer understands how it is asked for reviews'

/** Uses the call of the shop's own pages. */
export function googleplay(): PageSource {
  return {
    platform: 'googleplay',
    hosts: [HOST],
    // Undocumented; one request a second per address is known to work.
    limits: [{ quota: 'requests', kind: 'paced', most: 60, perSeconds: 60, burst: 10 }],
    mode: 'page',
    pollSeconds: PLATFORM_FACTS.googleplay.pollSeconds,
    // Reviews appear within minutes; two days cover a failed poll.
    overlapSeconds: 2 * DAY_SECONDS,
    read,
  }
}

async function* read(context: CollectContext, page: ReviewPageQuery, since: Date): AsyncIterable<Post[]> {
  const app = {
    id: page.id,
    language: page.language ?? DEFAULT_REVIEW_LANGUAGE,
    country: page.country ?? DEFAULT_REVIEW_COUNTRY,
  }
  const seen = new Set<string>()
  let { call, portion } = await firstPortion(context, app)
  for (let number = 1; ; number += 1) {
    const fresh = portion.reviews.filter(({ id }) => !seen.has(id))
    // Stops at a token that loops.
    if (fresh.length === 0) return
    for (const { id } of fresh) seen.add(id)
    const posts = fresh
      .filter((item) => changedAt(item) >= since)
      .flatMap((item) => toPost(item, app, context.at) ?? [])
    if (posts.length > 0) yield posts
    if (portion.token === null || fresh.some(({ at }) => at < since)) return
    if (number === MOST_PAGES) break
    const next = await askReviews(context, app, call, portion.token)
    if (next === null) throw new SourceFault('shape_changed', NOT_UNDERSTOOD)
    portion = next
  }
  context.log.warn(
    { event: 'source.reviews_cut', platform: 'googleplay', app: app.id, language: app.language },
    'There are more new reviews than were read',
  )
}

/** A developer may answer long after the review was read. */
function changedAt({ at, responseAt }: PlayReview): Date {
  return responseAt && responseAt > at ? responseAt : at
}

/** The first call that the shop understands. */
async function firstPortion(context: CollectContext, app: App): Promise<{ call: Call; portion: ReviewBatch }> {
  for (const call of CALLS) {
    const portion = await askFirst(context, app, call)
    if (portion === null) {
      context.log.warn({ event: 'source.call_refused', platform: 'googleplay', call }, 'The platform refused a call')
      continue
    }
    if (portion.reviews.length === 0) await ensureApp(context, app)
    return { call, portion }
  }
  await ensureApp(context, app)
  throw new SourceFault('shape_changed', NOT_UNDERSTOOD)
}

/** "Not found" may concern the app or the call; the app's page tells. */
async function askFirst(context: CollectContext, app: App, call: Call): Promise<ReviewBatch | null> {
  try {
    return await askReviews(context, app, call, null)
  } catch (error) {
    if (error instanceof NothingFound) await ensureApp(context, app)
    throw error
  }
}
