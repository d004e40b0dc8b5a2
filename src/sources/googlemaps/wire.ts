import { z } from 'zod'

// Places API (New)

/** The API omits empty fields, so `{}` is valid. */
export const placeReply = z.union([
  z.strictObject({}),
  z.object({ id: z.string().min(1), reviews: z.array(z.unknown()).max(100).nullish() }),
])

const localizedText = z.object({ text: z.string(), languageCode: z.string().nullish() })

export const placeReview = z.object({
  name: z.string().regex(/^places\/[^/\s]+\/reviews\/[^/\s]+$/),
  rating: z.number().min(1).max(5),
  /** `text` may be a translation. */
  originalText: localizedText.nullish(),
  text: localizedText.nullish(),
  authorAttribution: z
    .object({ displayName: z.string().nullish(), uri: z.string().nullish(), photoUri: z.string().nullish() })
    .nullish(),
  publishTime: z.iso.datetime({ offset: true }),
  googleMapsUri: z.string().nullish(),
})

export const placesError = z.object({ error: z.object({ message: z.string(), status: z.string().nullish() }) })

export const legacyReply = z.object({
  status: z.string(),
  error_message: z.string().nullish(),
  result: z.object({ place_id: z.string() }).nullish(),
})

// Apify

export const actorReview = z.object({
  reviewId: z.string().min(1),
  stars: z.number().min(1).max(5),
  publishedAtDate: z.iso.datetime({ offset: true }),
  /** Null for a rating without text. */
  text: z.string().nullish(),
  originalLanguage: z.string().nullish(),
  reviewUrl: z.string().nullish(),
  name: z.string().nullish(),
  reviewerId: z.string().nullish(),
  reviewerUrl: z.string().nullish(),
  reviewerPhotoUrl: z.string().nullish(),
  likesCount: z.number().nullish(),
  responseFromOwnerText: z.string().nullish(),
  responseFromOwnerDate: z.iso.datetime({ offset: true }).nullish(),
  reviewImageUrls: z.array(z.string()).nullish(),
  /** Google, or another site whose reviews Google shows. */
  reviewOrigin: z.string().nullish(),
})

export const actorPlace = z.object({ placeId: z.string(), reviewId: z.null().optional(), stars: z.null().optional() })

export type PlaceReview = z.infer<typeof placeReview>
export type ActorReview = z.infer<typeof actorReview>
