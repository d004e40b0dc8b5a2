import { z } from 'zod'

export const VIDEO_ID = /^[\w-]{6,20}$/
export const CHANNEL_ID = /^UC[\w-]{22}$/

/** Counts are texts; the owner may hide each. */
const count = z
  .union([
    z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number),
    z.number(),
  ])
  .nullish()
  .catch(null)
const picture = z.object({ url: z.string() }).nullish().catch(null)

/** Some lists omit empty `items`. */
export const listReply = z
  .object({
    items: z.array(z.unknown()).max(100).nullish(),
    pageInfo: z.object({ totalResults: z.number() }).nullish().catch(null),
    nextPageToken: z.string().min(1).max(1000).nullish(),
  })
  .refine(({ items, pageInfo }) => items != null || pageInfo?.totalResults === 0)

/** The title is escaped and the description cut, unlike in the list of videos. */
export const searchItem = z.object({ id: z.object({ videoId: z.string().regex(VIDEO_ID) }) })

export const video = z.object({
  id: z.string().regex(VIDEO_ID),
  snippet: z.object({
    publishedAt: z.string(),
    channelId: z.string().regex(CHANNEL_ID),
    title: z.string().min(1),
    description: z.string().nullish(),
    channelTitle: z.string().nullish(),
    defaultAudioLanguage: z.string().nullish(),
    defaultLanguage: z.string().nullish(),
    thumbnails: z
      .object({ maxres: picture, standard: picture, high: picture, medium: picture, default: picture })
      .nullish()
      .catch(null),
  }),
  statistics: z.object({ viewCount: count, likeCount: count, commentCount: count }).nullish().catch(null),
})

export const channel = z.object({
  id: z.string().regex(CHANNEL_ID),
  snippet: z.object({
    title: z.string().max(1000).nullish(),
    customUrl: z.string().max(200).nullish(),
    thumbnails: z.object({ high: picture, medium: picture, default: picture }).nullish().catch(null),
  }),
  statistics: z
    .object({ subscriberCount: count, hiddenSubscriberCount: z.boolean().nullish().catch(null) })
    .nullish()
    .catch(null),
})

export const channelId = channel.pick({ id: true })

/** A comment with the number of its answers. */
export const thread = z.object({
  id: z.string().regex(/^[\w.-]{6,100}$/),
  snippet: z.object({
    videoId: z.string().regex(VIDEO_ID),
    totalReplyCount: z.number().nullish().catch(null),
    topLevelComment: z.object({
      snippet: z.object({
        /** HTML. */
        textDisplay: z.string(),
        publishedAt: z.string(),
        likeCount: z.number().nullish().catch(null),
        authorDisplayName: z.string().nullish().catch(null),
        authorProfileImageUrl: z.string().nullish().catch(null),
        /** Absent for accounts that were removed. */
        authorChannelId: z
          .object({ value: z.string().regex(CHANNEL_ID) })
          .nullish()
          .catch(null),
      }),
    }),
  }),
})

/** The older (`errors`) and newer form (`details`, `status`) come mixed. */
export const complaint = z.object({
  error: z.object({
    message: z.string().nullish().catch(null),
    errors: z
      .array(z.object({ reason: z.string().nullish() }))
      .nullish()
      .catch(null),
    details: z
      .array(z.object({ reason: z.string().nullish() }))
      .nullish()
      .catch(null),
  }),
})

export type Video = z.infer<typeof video>
export type Thread = z.infer<typeof thread>
export type Channel = z.infer<typeof channel>
