import { canonicalReviewUrl } from '../../domain/keyword/review-source.ts'
import type { Post } from '../../domain/post/post.ts'
import { normalPost } from '../normal-post.ts'
import type { App } from './forms.ts'
import type { StoreReview } from './wire.ts'

/** A review has no page: its address is the page of all reviews with a fragment. */
export function toPost(found: StoreReview, app: App, at: Date): Post | null {
  const appUrl = canonicalReviewUrl('appstore', app.id, app.country)
  return normalPost(
    {
      platform: 'appstore',
      nativeId: found.id,
      url: `${appUrl}?see-all=reviews#review-${found.id}`,
      title: found.title,
      text: found.text,
      publishedAt: found.updated,
      engagement: { likes: found.votes },
      author: {
        id: personIn(found.author.url),
        name: found.author.name,
        handle: found.author.name,
        url: found.author.url,
      },
      review: {
        rating: found.rating,
        ratingMax: 5,
        title: found.title,
        version: found.version,
        country: app.country,
        verified: null,
        response: found.response?.text ?? null,
        responseAt: found.response?.at ?? null,
        app: { platform: 'appstore', id: app.id, url: appUrl },
      },
    },
    at,
  )
}

function personIn(address: string | null): string | null {
  return address?.match(/\/reviews\/id(\d{1,20})(?!\d)/)?.[1] ?? null
}
