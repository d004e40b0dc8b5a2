import { z } from 'zod'

const id = z.string().regex(/^\d{1,19}$/)
const count = z.number().nullish().catch(null)

const url = z.object({ url: z.string(), expanded_url: z.string().nullish(), unwound_url: z.string().nullish() })
const mention = z.object({ username: z.string(), id: z.string().nullish() })
const entities = z.object({
  urls: z.array(url).nullish().catch(null),
  mentions: z.array(mention).nullish().catch(null),
})
const note = z.object({ text: z.string().min(1), entities: entities.nullish().catch(null) })
const references = z.array(z.object({ type: z.string(), id }))

/** Absent if nothing was found. */
export const searchReply = z.object({
  data: z.array(z.unknown()).max(100).nullish(),
  includes: z
    .object({ media: z.array(z.unknown()).nullish() })
    .nullish()
    .catch(null),
  meta: z.object({ result_count: z.int().nonnegative(), next_token: z.string().min(1).max(2000).nullish() }),
})

/** The platform is renaming fields, so both names are read. Invalid optional parts do not invalidate the post. */
export const post = z.object({
  id,
  text: z.string(),
  author_id: id,
  created_at: z.string().nullish(),
  lang: z.string().nullish(),
  in_reply_to_user_id: z.string().nullish(),
  public_metrics: z
    .object({
      like_count: count,
      retweet_count: count,
      repost_count: count,
      reply_count: count,
      quote_count: count,
      bookmark_count: count,
      impression_count: count,
    })
    .nullish()
    .catch(null),
  entities: entities.nullish().catch(null),
  attachments: z
    .object({ media_keys: z.array(z.string()).nullish() })
    .nullish()
    .catch(null),
  referenced_tweets: references.nullish().catch(null),
  referenced_posts: references.nullish().catch(null),
  note_tweet: note.nullish().catch(null),
  note_post: note.nullish().catch(null),
})

export const media = z.object({
  media_key: z.string(),
  url: z.string().nullish(),
  preview_image_url: z.string().nullish(),
})

/** An error for each person not found. */
export const usersReply = z
  .object({ data: z.array(z.unknown()).max(100).nullish(), errors: z.array(z.unknown()).nullish() })
  .refine(({ data, errors }) => data != null || errors != null)

export const user = z.object({
  id,
  username: z.string().regex(/^\w{1,20}$/),
  name: z.string().max(1000).nullish(),
  profile_image_url: z.string().nullish(),
  public_metrics: z.object({ followers_count: count }).nullish().catch(null),
})

/** The refused parameters. */
export const complaint = z.object({
  errors: z
    .array(z.object({ parameters: z.record(z.string(), z.unknown()).nullish().catch(null) }))
    .nullish()
    .catch(null),
})

export type XPost = z.infer<typeof post>
export type XUrl = z.infer<typeof url>
export type XUser = z.infer<typeof user>
