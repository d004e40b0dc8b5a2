import { z } from 'zod'
import { maybeCount, maybeText } from '../providers/candidates.ts'

export const searchReply = z.object({
  search_item_list: z.array(z.unknown()).max(1000).nullable(),
  cursor: z.union([z.string(), z.number()]).nullish().catch(null),
  has_more: z.union([z.boolean(), z.number()]).nullish().catch(null),
})

const id = z.string().regex(/^\d{15,20}$/)
const person = z.string().regex(/^[^\s/?#]{1,100}$/)
const pictures = z
  .object({ url_list: z.array(z.string()) })
  .nullish()
  .catch(null)

/** Bare or inside a wrapper. */
export const foundVideo = z.preprocess(
  unwrapped,
  z.object({
    aweme_id: id,
    desc: z.string(),
    desc_language: maybeText,
    create_time: maybeCount,
    statistics: z
      .object({
        digg_count: maybeCount,
        share_count: maybeCount,
        repost_count: maybeCount,
        comment_count: maybeCount,
        play_count: maybeCount,
        collect_count: maybeCount,
      })
      .nullish()
      .catch(null),
    author: z.object({
      unique_id: person,
      uid: maybeText,
      nickname: maybeText,
      follower_count: maybeCount,
      avatar_thumb: pictures,
    }),
    video: z.object({ cover: pictures }).nullish().catch(null),
  }),
)

export const actorVideo = z.object({
  id,
  text: z.string(),
  textLanguage: maybeText,
  createTime: maybeCount,
  createTimeISO: maybeText,
  diggCount: maybeCount,
  shareCount: maybeCount,
  commentCount: maybeCount,
  playCount: maybeCount,
  collectCount: maybeCount,
  authorMeta: z.object({ name: person, id: maybeText, nickName: maybeText, avatar: maybeText, fans: maybeCount }),
  videoMeta: z.object({ coverUrl: maybeText }).nullish().catch(null),
})

export type FoundVideo = z.infer<typeof foundVideo>
export type ActorVideo = z.infer<typeof actorVideo>

function unwrapped(item: unknown): unknown {
  return typeof item === 'object' && item !== null && 'aweme_info' in item ? item.aweme_info : item
}
