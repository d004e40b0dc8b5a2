import { z } from 'zod'

const MOST_ID = 10 ** 14
const id = z.int().positive().max(MOST_ID)
/** Does not invalidate the episode. */
const detail = z.string().nullish().catch(null)

export const recentReply = z.object({ items: z.array(z.unknown()).max(1000) })

export const episode = z.object({
  id,
  title: z.string().min(1),
  /** Empty, or the show's home page, where an episode has no page of its own. */
  link: detail,
  /** HTML or text. */
  description: detail,
  datePublished: z.int(),
  enclosureUrl: detail,
  image: detail,
  feedId: id,
  feedTitle: detail,
  feedImage: detail,
  feedLanguage: detail,
})

export type Episode = z.infer<typeof episode>
