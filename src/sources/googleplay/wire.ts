import { z } from 'zod'

export const envelope = z.array(z.array(z.unknown())).max(100)

/** Reviews, then the token of the next page. */
export const payload = z
  .array(z.unknown())
  .nullable()
  .transform(
    (places): Record<'reviews' | 'token', unknown> => ({
      reviews: placed(places, 0) ?? [],
      token: placed(places, 1, 1) ?? null,
    }),
  )
  .pipe(z.object({ reviews: z.array(z.unknown()).max(1000), token: z.string().min(1).max(10_000).nullable() }))

/** Seconds and nanoseconds. */
const instant = z
  .tuple([z.int().nonnegative().max(100_000_000_000)])
  .rest(z.number().nullable())
  .transform(([seconds, nanoseconds]) => new Date(seconds * 1000 + Math.floor((nanoseconds ?? 0) / 1e6)))

/** Fields are known by position only. */
export const playReview = z.preprocess(
  (places) => ({
    id: placed(places, 0),
    name: placed(places, 1, 0),
    avatarUrl: placed(places, 1, 1, 3, 2),
    rating: placed(places, 2),
    text: placed(places, 4),
    at: placed(places, 5),
    likes: placed(places, 6),
    response: placed(places, 7, 1),
    responseAt: placed(places, 7, 2),
    version: placed(places, 10),
  }),
  z.object({
    id: z.string().regex(/^[\w:.=-]{1,250}$/),
    name: z.string().nullish(),
    avatarUrl: z.string().nullish(),
    rating: z.int().min(1).max(5),
    text: z.string().nullish(),
    at: instant,
    likes: z.number().nullish(),
    response: z.string().nullish(),
    responseAt: instant.nullish(),
    version: z.string().nullish(),
  }),
)

export type PlayReview = z.infer<typeof playReview>

/** Undefined if absent. */
export function placed(nest: unknown, ...path: readonly number[]): unknown {
  return path.reduce<unknown>((inner, place) => (Array.isArray(inner) ? (inner as unknown[])[place] : undefined), nest)
}
