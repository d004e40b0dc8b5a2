import { z } from 'zod'

const MOST_ID = 10 ** 14
const id = z.int().positive().max(MOST_ID)
const seconds = z.int().positive()
const count = z.number().nullish()

export const wrapper = z.object({
  /** At most 100, and 500 sites. */
  items: z.array(z.unknown()).max(500),
  has_more: z.boolean(),
  /** In seconds, for this method. */
  backoff: z.number().positive().nullish(),
  quota_remaining: z.int().nullish(),
})

/** An entry of the list of sites. */
export const site = z.object({
  api_site_parameter: z.string(),
  site_url: z.string().regex(/^https:\/\/[a-z0-9.-]+$/),
  /** Such as normal, open_beta, closed_beta, linked_meta. */
  site_state: z.string(),
})

/** Most refusals have status 400. */
export const refusal = z.object({
  error_id: z.int(),
  error_name: z.string().nullish(),
  error_message: z.string().nullish(),
})

export const filter = z.object({ filter: z.string().regex(/^\S{1,500}$/) })

/** Does not invalidate the post. */
const detail = z.string().nullish().catch(null)
/** Deleted users have only a name; the platform's programs have ids below zero. */
const owner = z
  .object({
    user_id: z
      .int()
      .refine((value) => Math.abs(value) <= MOST_ID)
      .nullish()
      .catch(null),
    display_name: detail,
    link: detail,
    profile_image: detail,
  })
  .nullish()
  .catch(null)

/** Texts are HTML, titles and names HTML-escaped. */
export const post = z.object({
  post_id: id,
  post_type: z.enum(['question', 'answer']),
  creation_date: seconds,
  /** For an answer its question's. */
  title: z.string().nullish(),
  body: z.string(),
  link: z.string().nullish(),
  score: count,
  owner,
})

export const comment = z.object({
  comment_id: id,
  post_id: id,
  post_type: z.string().nullish(),
  creation_date: seconds,
  body: z.string(),
  link: z.string().nullish(),
  score: count,
  owner,
})

export const excerpt = z.object({ item_type: z.string(), question_id: id, answer_id: id.nullish() })
export const answer = z.object({ answer_id: id, question_id: id })
export const question = z.object({ question_id: id, answer_count: count, view_count: count })

export type StackPost = z.infer<typeof post>
export type StackComment = z.infer<typeof comment>
export type Owner = z.infer<typeof owner>
