import { canonicalReviewUrl } from '../../domain/keyword/review-source.ts'
import type { Author, Post, Review } from '../../domain/post/post.ts'
import { canParse } from '../../kernel/can-parse.ts'
import { normalPost } from '../normal-post.ts'
import { isOnGoogle } from './google-hosts.ts'
import type { ActorReview, PlaceReview } from './wire.ts'

/** The id is the last part of the resource name, as with the actor. */
export function placeReviewToPost(review: PlaceReview, placeId: string, at: Date): Post | null {
  const nativeId = review.name.slice(review.name.lastIndexOf('/') + 1)
  const said = review.originalText ?? review.text
  const author = review.authorAttribution
  return normalPost(
    {
      platform: 'googlemaps',
      nativeId,
      url: reviewUrl(review.googleMapsUri, placeId, nativeId),
      text: said?.text ?? '',
      publishedAt: new Date(review.publishTime),
      languageTag: said?.languageCode,
      author: {
        ...contributor(author?.uri, null),
        name: author?.displayName ?? null,
        avatarUrl: author?.photoUri ?? null,
      },
      review: starred(review.rating),
    },
    at,
  )
}

export function actorReviewToPost(review: ActorReview, placeId: string, at: Date): Post | null {
  return normalPost(
    {
      platform: 'googlemaps',
      nativeId: review.reviewId,
      url: reviewUrl(review.reviewUrl, placeId, review.reviewId),
      text: review.text ?? '',
      imageUrl: review.reviewImageUrls?.[0],
      publishedAt: new Date(review.publishedAtDate),
      languageTag: review.originalLanguage,
      engagement: { likes: review.likesCount },
      author: {
        ...contributor(review.reviewerUrl, review.reviewerId),
        name: review.name ?? null,
        avatarUrl: review.reviewerPhotoUrl ?? null,
      },
      review: {
        ...starred(review.stars),
        response: review.responseFromOwnerText ?? null,
        responseAt: review.responseFromOwnerDate ? new Date(review.responseFromOwnerDate) : null,
      },
    },
    at,
  )
}

/** Others concern the reader. */
const NAMES_OF_PLACE = new Set(['cid', 'ftid', 'lrd', 'ludocid', 'place_id', 'placeid', 'q', 'query', 'query_place_id'])

/** Else a fragment on the page of the place. */
function reviewUrl(given: string | null | undefined, placeId: string, nativeId: string): string {
  const url = given != null && canParse(given) ? new URL(given) : null
  if (url === null || !isOnGoogle(url)) return `${canonicalReviewUrl('googlemaps', placeId, null)}#review-${nativeId}`
  for (const name of [...url.searchParams.keys()]) if (!NAMES_OF_PLACE.has(name)) url.searchParams.delete(name)
  return url.href
}

/** The same number on both routes. */
function contributor(link: string | null | undefined, number: string | null | undefined): Pick<Author, 'id' | 'url'> {
  const id =
    link?.match(/\/contrib\/(\d{1,30})(?!\d)/)?.[1] ?? (number != null && /^\d{1,30}$/.test(number) ? number : null)
  return { id, url: id === null ? null : `https://www.google.com/maps/contrib/${id}` }
}

function starred(rating: number): Review {
  return {
    rating,
    ratingMax: 5,
    title: null,
    version: null,
    country: null,
    verified: null,
    response: null,
    responseAt: null,
    app: null,
  }
}
