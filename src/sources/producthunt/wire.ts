import { z } from 'zod'

/** Does not invalidate the item. */
const detail = z.string().nullish().catch(null)
const count = z.number().nullish().catch(null)
const id = z.string().regex(/^\d{1,15}$/)

/** Everybody but the owner of the token is `[REDACTED]`, with id 0, unless Product Hunt grants more. */
const user = z
  .object({ id: detail, name: detail, username: detail, url: detail, profileImage: detail })
  .nullish()
  .catch(null)

/** Errors may come with status 200. The interface and the gate before it write them in different forms. */
const complaint = z.object({ message: detail, error: detail, error_description: detail })
export const complaints = z.object({ errors: z.array(complaint).min(1) })

const pageInfo = z.object({ endCursor: z.string().max(1000).nullish(), hasNextPage: z.boolean() })
const edges = z.array(z.object({ node: z.unknown() })).max(100)

export const postsReply = z.object({ data: z.object({ posts: z.object({ edges, pageInfo }) }) })
/** By alias; null for a post that is gone. */
export const commentsReply = z.object({
  data: z.record(z.string(), z.object({ comments: z.object({ edges, pageInfo }) }).nullable()),
})

export const post = z.object({
  id,
  name: z.string().min(1),
  tagline: detail,
  description: detail,
  url: z.string(),
  website: detail,
  createdAt: z.string(),
  votesCount: count,
  commentsCount: z.int().nonnegative(),
  thumbnail: z.object({ url: detail }).nullish().catch(null),
  user,
})

export const comment = z.object({
  id,
  /** HTML. */
  body: z.string(),
  createdAt: z.string(),
  url: z.string(),
  votesCount: count,
  user,
})

export type Launch = z.infer<typeof post>
export type Comment = z.infer<typeof comment>
export type User = z.infer<typeof user>
