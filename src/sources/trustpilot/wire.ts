import { z } from 'zod'

export const trustpilotId = z.string().regex(/^[0-9a-f]{24}$/)

export const businessUnit = z.object({ id: trustpilotId, name: z.object({ identifying: z.string().min(1) }) })

export const reviewsReply = z.object({
  reviews: z.array(z.unknown()).max(1000),
  links: z.array(z.object({ rel: z.string() })).nullish(),
})

/** Missing fields are null or absent. */
export const review = z.object({
  id: trustpilotId,
  stars: z.int().min(1).max(5),
  title: z.string().nullish(),
  text: z.string().nullish(),
  language: z.string().nullish(),
  createdAt: z.iso.datetime({ offset: true }),
  updatedAt: z.iso.datetime({ offset: true }).nullish().catch(null),
  consumer: z.object({ id: z.string().nullish(), displayName: z.string().nullish() }).nullish(),
  companyReply: z
    .object({
      text: z.string(),
      createdAt: z.iso.datetime({ offset: true }).nullish(),
      updatedAt: z.iso.datetime({ offset: true }).nullish().catch(null),
    })
    .nullish(),
  isVerified: z.boolean().nullish(),
  reviewVerificationLevel: z.string().nullish(),
  numberOfLikes: z.number().nullish(),
})

export const reviewOwner = z.object({
  businessUnit: z.object({ id: trustpilotId, identifyingName: z.string().nullish() }),
})

export type TrustpilotReview = z.infer<typeof review>
