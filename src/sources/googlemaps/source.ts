import { PLATFORM_FACTS } from '../../domain/platform/platforms.ts'
import { MONEY, type PageSource } from '../contract.ts'
import { portionOf } from '../newest-first.ts'
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

/** `dailyMicroUsd` is what may be spent in a day, in millionths of a dollar. */
export type GoogleMapsOptions =
  | { route: 'places'; key: string; dailyMicroUsd: number }
  /** `actor` is the name of a reviews actor such as `compass/google-maps-reviews-scraper`. */
  | { route: 'apify'; token: string; actor: string; dailyMicroUsd: number }

/** The reviews of places on Google Maps, from the Places API or from a provider. */
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
    // The five reviews are chosen by relevance: one that is weeks old may appear among them today.
    overlapSeconds: 30 * DAY_SECONDS,
    async *read(context, page, since) {
      const reviews = readItems(await askPlace(context, key, page), placeReview, context, 'googlemaps')
      yield* portionOf(
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
    // A review may be held back for a check. Every day more is paid again.
    overlapSeconds: 2 * DAY_SECONDS,
    async *read(context, page, since) {
      const rows = await askActor(context, run, { page, since, dailyMicroUsd: options.dailyMicroUsd })
      const reviews = readItems(rows, actorReview, context, 'googlemaps').filter((item) => changedAt(item) >= since)
      yield* portionOf(
        reviews.map((review) => actorReviewToPost(review, page.id, context.at)),
        EVER,
      )
    },
    // The provider is not asked for a place by its number: the run would cost as much as reading the place.
    resolveLink: (context, link) => resolveMapsLink(context, link, async () => null),
  }
}

/** A review is news when it was written or answered: the owner's answer may come after what it answers was read. */
function changedAt({ publishedAtDate, responseFromOwnerDate }: ActorReview): Date {
  return new Date(Math.max(Date.parse(publishedAtDate), responseFromOwnerDate ? Date.parse(responseFromOwnerDate) : 0))
}
