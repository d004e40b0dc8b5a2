import { z } from 'zod'

/** Does not invalidate the item. */
const detail = z.string().nullish().catch(null)
const count = z.number().nullish().catch(null)
/** Stories from before 2024 hold the whole person. */
const person = z
  .union([z.string(), z.object({ username: z.string() }).transform(({ username }) => username)])
  .nullish()
  .catch(null)
export const SHORT_ID = /^\w{4,8}$/
const shortId = z.string().regex(SHORT_ID)

export const stories = z.array(z.unknown()).max(200)

/** `url` is empty for a text, and `description` (HTML) for a link. */
export const story = z.object({
  short_id: shortId,
  created_at: z.string(),
  title: z.string().min(1),
  url: detail,
  score: count,
  comment_count: count,
  description: detail,
  submitter_user: person,
})

/** An item of the list of comments, which exists as RSS only. `title` is the story's, `author` an invented address. */
export const commentItem = z.object({
  title: z.string(),
  link: z.string().regex(/^https:\/\/lobste\.rs\/c\/\w{4,8}$/),
  author: detail,
  pubDate: z.string(),
  description: z.string(),
})

/** A single comment; `url` leads into the page of its story. */
export const comment = z.object({
  short_id: shortId,
  score: count,
  parent_comment: z.string().nullish(),
  comment: z.string(),
  url: z.string(),
  commenting_user: person,
})

export type Story = z.infer<typeof story>
export type CommentItem = z.infer<typeof commentItem>
export type Comment = z.infer<typeof comment>
