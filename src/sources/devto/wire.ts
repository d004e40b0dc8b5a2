import { z } from 'zod'

const text = z.string().nullish()
const count = z.number().nullish()

/** Empty for a deleted person or comment. */
const user = z.object({
  user_id: z.int().nullish(),
  username: text,
  name: text,
  profile_image: text,
})

/** Items are validated later. */
export const list = z
  .array(z.unknown())
  .max(5000)
  .refine(
    (items) =>
      items.length === 0 || items.some((item) => typeof item === 'object' && item !== null && !Array.isArray(item)),
    'no objects',
  )

export const listed = z.object({
  id: z.int(),
  title: z.string(),
  url: z.string(),
  user,
  published_timestamp: z.string(),
  comments_count: z.int().nonnegative(),
  last_comment_at: text,
})

export type Listed = z.infer<typeof listed>

/** The tags have other types than in a list. */
export const article = z.object({
  id: z.int(),
  title: z.string(),
  url: z.string(),
  published_timestamp: z.string(),
  body_html: z.string(),
  user,
  canonical_url: text,
  cover_image: text,
  social_image: text,
  language: text,
  comments_count: count,
  public_reactions_count: count,
})

export type Article = z.infer<typeof article>

export const comment = z.object({
  id_code: z.string().regex(/^[a-z0-9]{1,20}$/i),
  created_at: z.string(),
  body_html: z.string(),
  user,
  children: z.array(z.unknown()),
})

export type Comment = z.infer<typeof comment>
