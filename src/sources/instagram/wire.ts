import { z } from 'zod'
import { maybeCount, maybeText } from '../providers/candidates.ts'

/** ScrapeCreators. */
export const reelsReply = z.object({ reels: z.array(z.unknown()).max(1000) })
export const hashtagReply = z.object({ posts: z.array(z.unknown()).max(1000), cursor: maybeText })

const shortcode = z.string().regex(/^[\w-]{5,60}$/)
const person = z.string().regex(/^[^\s/?#]{1,100}$/)

export const foundMedia = z.object({
  shortcode,
  caption: z.string().nullable(),
  taken_at: maybeText,
  display_url: maybeText,
  thumbnail_src: maybeText,
  like_count: maybeCount,
  comment_count: maybeCount,
  video_play_count: maybeCount,
  video_view_count: maybeCount,
  owner: z.object({
    username: person,
    id: maybeText,
    full_name: maybeText,
    profile_pic_url: maybeText,
    follower_count: maybeCount,
  }),
})

/** Apify. */
export const actorMedia = z.object({
  shortCode: shortcode,
  caption: z.string().nullable(),
  timestamp: maybeText,
  displayUrl: maybeText,
  likesCount: maybeCount,
  commentsCount: maybeCount,
  videoPlayCount: maybeCount,
  ownerUsername: person,
  ownerId: maybeText,
  ownerFullName: maybeText,
})

export type FoundMedia = z.infer<typeof foundMedia>
export type ActorMedia = z.infer<typeof actorMedia>
