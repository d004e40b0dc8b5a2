import { z } from 'zod'

export const searchReply = z.object({
  hits: z.array(z.unknown()).max(1000),
  nbHits: z.int().nonnegative(),
  nbPages: z.int().nonnegative(),
})

/** Null fields may be omitted. */
export const hit = z.object({
  objectID: z.string().regex(/^\d{1,15}$/),
  created_at_i: z.int().positive(),
  author: z.string().min(1),
  _tags: z.array(z.string()),
  title: z.string().nullish(),
  url: z.string().nullish(),
  story_text: z.string().nullish(),
  comment_text: z.string().nullish(),
  points: z.number().nullish(),
  num_comments: z.number().nullish(),
  parent_id: z.int().nullish(),
  story_id: z.int().nullish(),
  story_title: z.string().nullish(),
  children: z.array(z.unknown()).nullish(),
})

/** A removed item has neither author nor text. */
export const item = z.object({ id: z.int(), author: z.string().nullish(), text: z.string().nullish() })

export type Hit = z.infer<typeof hit>
