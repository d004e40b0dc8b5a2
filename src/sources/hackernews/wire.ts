import { z } from 'zod'

/**
 * The search reply as far as it is relied on. Hits are read one by one, so that an odd one does not hide the others.
 */
export const searchReply = z.object({
  hits: z.array(z.unknown()).max(1000),
  nbHits: z.int().nonnegative(),
  nbPages: z.int().nonnegative(),
})

/** A story or a comment. The API leaves out fields that are null, or sends them as null; both are read alike. */
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

/** An item asked for by its id; of one that was removed, neither writer nor text is left. */
export const item = z.object({ id: z.int(), author: z.string().nullish(), text: z.string().nullish() })

export type Hit = z.infer<typeof hit>
