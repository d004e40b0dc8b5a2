import { z } from 'zod'

/** Reddit answers token errors with status 200. */
export const tokenReply = z.union([
  z.object({ access_token: z.string().min(1), expires_in: z.number().positive() }),
  z.object({ error: z.union([z.string(), z.number()]) }),
])

export const listing = z.object({
  kind: z.literal('Listing'),
  data: z.object({ children: z.array(z.unknown()).max(1000), after: z.string().nullish() }),
})

export const threadReply = z.tuple([listing, listing])

/** Such as the marks for more comments. */
const otherThing = z.object({ kind: z.string() }).transform(() => 'other' as const)

/** Selects the form by kind, so that an item is validated once. */
export function thingOf<Data>(raw: unknown, kind: string, data: z.ZodType<Data>): z.ZodType<Data | 'other'> {
  const isOfKind = z.object({ kind: z.literal(kind) }).safeParse(raw).success
  return isOfKind ? z.preprocess((thing) => (thing as { data?: unknown }).data, data) : otherThing
}

const baseId = z.string().regex(/^[a-z0-9]{1,13}$/)
const text = z.string().nullish()
const count = z.number().nullish()

/** Providers omit many fields. */
export const submission = z.object({
  id: baseId,
  title: z.string(),
  author: z.string().min(1),
  subreddit: z.string().regex(/^\w{1,60}(?:-[\w-]{0,60})?$/),
  created_utc: z.number().positive(),
  author_fullname: text,
  selftext: text,
  selftext_html: text,
  permalink: text,
  url: text,
  is_self: z.boolean().nullish(),
  score: count,
  hide_score: z.boolean().nullish(),
  num_comments: count,
  num_crossposts: count,
  removed_by_category: text,
  thumbnail: text,
  preview: z
    .object({ images: z.array(z.object({ source: z.object({ url: z.string() }) })) })
    .nullish()
    .catch(null),
})

export type Submission = z.infer<typeof submission>

/** An empty text if there are no replies. */
export const comment = z.object({
  id: baseId,
  author: z.string().min(1),
  body: z.string(),
  created_utc: z.number().positive(),
  permalink: text,
  author_fullname: text,
  body_html: text,
  score: count,
  score_hidden: z.boolean().nullish(),
  replies: z.unknown().optional(),
})

export type Comment = z.infer<typeof comment>

export const providerReply = z.object({
  success: z.boolean().nullish(),
  posts: z.array(z.unknown()).max(1000),
  after: z.string().nullish(),
  credits_charged: z.int().min(0).max(1000).nullish().catch(null),
})

export const providerRefusal = z.object({
  success: z.literal(false),
  message: text,
  error: text,
  credits_remaining: count,
})

/** Attributes begin with @, values are still escaped. */
const inner = z.union([z.string(), z.object({ '#text': z.string() }).transform((value) => value['#text'])])
export const entry = z.object({
  id: inner,
  title: inner,
  published: inner,
  link: z.object({ '@href': z.string() }),
  author: z.object({ name: inner }).nullish(),
  content: inner.nullish().catch(null),
  'media:thumbnail': z.object({ '@url': z.string() }).nullish().catch(null),
})

export type Entry = z.infer<typeof entry>
