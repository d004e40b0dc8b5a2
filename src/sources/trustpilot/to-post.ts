import type { Post } from '../../domain/post/post.ts'
import { normalPost } from '../normal-post.ts'
import type { TrustpilotReview } from './wire.ts'

const SITE = 'https://www.trustpilot.com'

export function toPost(review: TrustpilotReview, at: Date): Post | null {
  const { consumer, companyReply } = review
  return normalPost(
    {
      platform: 'trustpilot',
      nativeId: review.id,
      url: `${SITE}/reviews/${review.id}`,
      title: review.title,
      text: review.text ?? '',
      publishedAt: new Date(review.createdAt),
      languageTag: review.language,
      engagement: { likes: review.numberOfLikes },
      author: consumer
        ? {
            id: consumer.id ?? null,
            name: consumer.displayName ?? null,
            url: consumer.id ? `${SITE}/users/${encodeURIComponent(consumer.id)}` : null,
          }
        : null,
      review: {
        rating: review.stars,
        ratingMax: 5,
        title: review.title ?? null,
        version: null,
        country: null,
        verified: verified(review),
        response: companyReply?.text ?? null,
        responseAt: companyReply?.createdAt ? new Date(companyReply.createdAt) : null,
        app: null,
      },
    },
    at,
  )
}

/** Only the level `not-verified` means unverified. */
function verified({ isVerified, reviewVerificationLevel }: TrustpilotReview): boolean | null {
  if (isVerified != null) return isVerified
  return reviewVerificationLevel == null ? null : reviewVerificationLevel !== 'not-verified'
}
