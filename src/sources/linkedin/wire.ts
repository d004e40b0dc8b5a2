import { z } from 'zod'
import { maybeCount, maybeText } from '../providers/candidates.ts'

/** ScrapeCreators. */
export const searchReply = z.object({
  posts: z.array(z.unknown()).max(1000),
  cursor: z.union([z.string(), z.number()]).nullish().catch(null),
})

/** Articles have a name beside their description. */
export const foundPost = z.object({
  url: z.string().min(1),
  description: z.string().nullable(),
  name: maybeText,
  datePublished: maybeText,
  images: z.array(z.string()).nullish().catch(null),
  image: maybeText,
  likeCount: maybeCount,
  commentCount: maybeCount,
  author: z.object({ name: maybeText, url: maybeText, image: maybeText, followers: maybeCount }).nullish().catch(null),
})

/** Apify. */
export const actorPost = z.object({
  linkedinUrl: z.string().min(1),
  content: z.string().nullable(),
  id: z.union([z.string(), z.number()]).nullish().catch(null),
  postedAt: z.object({ timestamp: maybeCount, date: maybeText }).nullish().catch(null),
  postImages: z
    .array(z.object({ url: z.string() }))
    .nullish()
    .catch(null),
  article: z.object({ title: maybeText, link: maybeText }).nullish().catch(null),
  engagement: z.object({ likes: maybeCount, comments: maybeCount, shares: maybeCount }).nullish().catch(null),
  author: z
    .object({ name: maybeText, linkedinUrl: maybeText, avatar: z.object({ url: maybeText }).nullish().catch(null) })
    .nullish()
    .catch(null),
})

export type FoundPost = z.infer<typeof foundPost>
export type ActorPost = z.infer<typeof actorPost>
