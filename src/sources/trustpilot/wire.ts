import { z } from 'zod'

/** The ids of companies, reviews and people alike. */
export const trustpilotId = z.string().regex(/^[0-9a-f]{24}$/)

/** A company, as found by its domain or by its id. */
export const businessUnit = z.object({ id: trustpilotId, name: z.object({ identifying: z.string().min(1) }) })

/** One page of a company's reviews. They are read one by one, so that an odd one does not hide the others. */
export const reviewsReply = z.object({
  reviews: z.array(z.unknown()).max(1000),
  links: z.array(z.object({ rel: z.string() })).nullish(),
})

/** A review. Fields that may be missing are sent as null or left out. */
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

/** A review that is looked up by its id, as far as it says whose it is. */
export const reviewOwner = z.object({
  businessUnit: z.object({ id: trustpilotId, identifyingName: z.string().nullish() }),
})

export type TrustpilotReview = z.infer<typeof review>
