import { canonicalReviewUrl } from '../../domain/keyword/review-source.ts'
import type { Post } from '../../domain/post/post.ts'
import { normalPost } from '../normal-post.ts'
import type { PlayReview } from './wire.ts'

export interface App {
  id: string
  language: string
  country: string
}

/** Authors have no pages or ids here, and reviews no titles. */
export function toPost(found: PlayReview, app: App, at: Date): Post | null {
  const appUrl = canonicalReviewUrl('googleplay', app.id, null)
  return normalPost(
    {
      platform: 'googleplay',
      nativeId: found.id,
      url: `${appUrl}&reviewId=${found.id}`,
      text: found.text ?? '',
      publishedAt: found.at,
      languageTag: app.language,
      engagement: { likes: found.likes },
      author: { name: found.name ?? null, avatarUrl: found.avatarUrl ?? null },
      review: {
        rating: found.rating,
        ratingMax: 5,
        title: null,
        version: found.version ?? null,
        country: app.country,
        verified: null,
        response: found.response ?? null,
        responseAt: found.response ? (found.responseAt ?? null) : null,
        app: { platform: 'googleplay', id: app.id, url: appUrl },
      },
    },
    at,
  )
}
