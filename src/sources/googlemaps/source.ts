import { PLATFORM_FACTS } from '../../domain/platform/platforms.ts'
import { MONEY, type PageSource } from '../contract.ts'
import { batchOf } from '../newest-first.ts'
import { APIFY_HOST, apify } from '../providers/apify.ts'
import { readItems } from '../read-items.ts'
import { askActor } from './actor.ts'
import { LINK_HOSTS } from './google-hosts.ts'
import { askPlace, LEGACY_HOST, PLACES_HOST, placeOfCid } from './places.ts'
import { LINKS_LIMIT, resolveMapsLink } from './resolve-link.ts'
import { actorReviewToPost, placeReviewToPost } from './to-post.ts'
import { type ActorReview, actorReview, placeReview } from './wire.ts'

const DAY_SECONDS = 86_400
const EVER = new Date(0)

/** In millionths of a dollar. */
export type GoogleMapsOptions =
  | { route: 'places'; key: string; dailyMicroUsd: number }
  /** Such as `compass/google-maps-reviews-scraper`. */
  | { route: 'apify'; token: string; actor: string; dailyMicroUsd: number }

export function googlemaps(options: GoogleMapsOptions): PageSource {
  return {
    platform: 'googlemaps',
    limits: [{ quota: MONEY, kind: 'daily', most: options.dailyMicroUsd, timeZone: 'UTC' }, LINKS_LIMIT],
    mode: 'page',
    pollSeconds: PLATFORM_FACTS.googlemaps.pollSeconds,
    ...(options.route === 'places' ? throughPlaces(options) : throughApify(options)),
  }
}

type Route = Pick<PageSource, 'hosts' | 'overlapSeconds' | 'read' | 'resolveLink'>

function throughPlaces({ key }: { key: string }): Route {
  return {
    hosts: [PLACES_HOST, LEGACY_HOST, ...LINK_HOSTS],
    // Chosen by relevance, so an older review may appear later.
    overlapSeconds: 30 * DAY_SECONDS,
    async *read(context, page, since) {
      const reviews = readItems(await askPlace(context, key, page), placeReview, context, 'googlemaps')
      yield* batchOf(
        reviews.map((review) => placeReviewToPost(review, page.id, context.at)),
        since,
      )
    },
    resolveLink: (context, link) => resolveMapsLink(context, link, (cid) => placeOfCid(context, key, cid)),
  }
}

function throughApify(options: { token: string; actor: string; dailyMicroUsd: number }): Route {
  const run = apify(options)
  return {
    hosts: [APIFY_HOST, ...LINK_HOSTS],
    // Covers moderation. Each further day costs money.
    overlapSeconds: 2 * DAY_SECONDS,
    async *read(context, page, since) {
      const rows = await askActor(context, run, { page, since, dailyMicroUsd: options.dailyMicroUsd })
      const reviews = readItems(rows, actorReview, context, 'googlemaps').filter((item) => changedAt(item) >= since)
      yield* batchOf(
        reviews.map((review) => actorReviewToPost(review, page.id, context.at)),
        EVER,
      )
    },
    // A run would cost as much as reading the place.
    resolveLink: (context, link) => resolveMapsLink(context, link, async () => null),
  }
}

function changedAt({ publishedAtDate, responseFromOwnerDate }: ActorReview): Date {
  return new Date(Math.max(Date.parse(publishedAtDate), responseFromOwnerDate ? Date.parse(responseFromOwnerDate) : 0))
}
