import { z } from 'zod'

/** Reddit answers errors of a token request with status 200 too. */
export const tokenReply = z.union([
  z.object({ access_token: z.string().min(1), expires_in: z.number().positive() }),
  z.object({ error: z.union([z.string(), z.number()]) }),
])

/** A listing. Its things are read one by one, so that an odd one does not hide the others. */
export const listing = z.object({
  kind: z.literal('Listing'),
  data: z.object({ children: z.array(z.unknown()).max(1000), after: z.string().nullish() }),
})

/** The page of a post: the post itself, and its comments. */
export const threadReply = z.tuple([listing, listing])

/** What a listing holds beside what is read of it, such as the places where more comments can be asked for. */
const otherThing = z.object({ kind: z.string() }).transform(() => 'other' as const)

/** The form of one thing of a listing, which its kind tells: so a thing is read once, and is odd once. */
export function thingOf<Data>(raw: unknown, kind: string, data: z.ZodType<Data>): z.ZodType<Data | 'other'> {
  const isOfKind = z.object({ kind: z.literal(kind) }).safeParse(raw).success
  return isOfKind ? z.preprocess((thing) => (thing as { data?: unknown }).data, data) : otherThing
}

const baseId = z.string().regex(/^[a-z0-9]{1,13}$/)
const text = z.string().nullish()
const count = z.number().nullish()

/** A post. Providers leave out much of it, so only what makes it a post is demanded. */
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

/** A comment as it stands below its post. `replies` is a listing again, or an empty text when there are none. */
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

/** A search as ScrapeCreators answers it; its posts are those of Reddit, in full or in part. */
export const providerReply = z.object({
  success: z.boolean().nullish(),
  posts: z.array(z.unknown()).max(1000),
  after: z.string().nullish(),
  credits_charged: z.int().min(0).max(1000).nullish().catch(null),
})

/** How ScrapeCreators says no. */
export const providerRefusal = z.object({
  success: z.literal(false),
  message: text,
  error: text,
  credits_remaining: count,
})

/** An entry of an Atom feed as the XML reader hands it over: attributes begin with @, values are escaped still. */
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
