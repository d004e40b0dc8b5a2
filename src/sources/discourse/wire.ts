import { z } from 'zod'

const text = z.string().nullish()
const count = z.number().nullish()

/** A forum answers 50. */
const MOST_POSTS = 100

/** Posts are validated later, one by one. */
export const latestPosts = z.object({ latest_posts: z.array(z.unknown()).max(MOST_POSTS) })

export const about = z.object({ about: z.object({ title: z.string() }) })

export const post = z.object({
  id: z.int().positive(),
  username: z.string(),
  name: text,
  avatar_template: text,
  created_at: z.string(),
  cooked: z.string(),
  post_number: z.int().positive(),
  reply_count: count,
  reply_to_post_number: count,
  reads: count,
  topic_id: z.int().positive(),
  topic_slug: z.string(),
  topic_title: z.string(),
  user_id: z.int(),
  actions_summary: z.array(z.object({ id: z.int(), count })).nullish(),
  hidden: z.boolean().nullish(),
  user_deleted: z.boolean().nullish(),
})

export type ForumPost = z.infer<typeof post>
