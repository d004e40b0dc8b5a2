import { z } from 'zod'

/** Does not invalidate the item. */
const detail = z.string().nullish().catch(null)
const count = z.number().nullish().catch(null)
const flag = z.boolean().nullish().catch(null)
const id = z.int().positive()

/** Version 1.0 renames `actor_id` to `ap_id` and `published` to `published_at`. */
const time = { published: z.string().nullish(), published_at: z.string().nullish() }
export interface Dated {
  published?: string | null | undefined
  published_at?: string | null | undefined
}
const hasTime = ({ published, published_at: renamed }: Dated) => (published ?? renamed) != null

const creator = z
  .object({ name: detail, display_name: detail, avatar: detail, actor_id: detail, ap_id: detail, bot_account: flag })
  .nullish()
  .catch(null)

const post = z
  .object({
    id,
    name: z.string().min(1),
    url: detail,
    /** Markdown. */
    body: detail,
    thumbnail_url: detail,
    ap_id: z.string(),
    removed: flag,
    deleted: flag,
    ...time,
  })
  .refine(hasTime, { path: ['published'] })

const comment = z
  .object({
    id,
    /** Markdown. */
    content: z.string(),
    /** Ids from the post down to the comment, such as 0.11.12. */
    path: detail,
    ap_id: z.string(),
    removed: flag,
    deleted: flag,
    ...time,
  })
  .refine(hasTime, { path: ['published'] })

export const postView = z.object({
  post,
  creator,
  counts: z.object({ upvotes: count, comments: count }).nullish().catch(null),
})

export const commentView = z.object({
  comment,
  post: z.object({ name: z.string(), ap_id: z.string() }),
  creator,
  counts: z.object({ upvotes: count, child_count: count }).nullish().catch(null),
})

const list = z.array(z.unknown()).max(100)
export const postList = z.object({ posts: list })
export const commentList = z.object({ comments: list })
export const searchReply = z.object({ posts: list, comments: list })
export const singleComment = z.object({ comment_view: commentView })
/** Errors of the servers, with status 400 in older versions. */
export const refusal = z.object({ error: z.string() })

export type PostView = z.infer<typeof postView>
export type CommentView = z.infer<typeof commentView>
export type Creator = z.infer<typeof creator>
