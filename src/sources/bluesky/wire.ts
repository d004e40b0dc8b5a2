import { z } from 'zod'

export const POST_COLLECTION = 'app.bsky.feed.post'

const did = z.string().regex(/^did:[a-z]+:[A-Za-z0-9._:%-]{1,250}$/)
const timeUs = z.int().positive()
const key = z.string().regex(/^[A-Za-z0-9._~:-]{1,512}$/)

export const envelope = z.object({ did, time_us: timeUs, kind: z.string().min(1) })

export const commitHead = z.object({ commit: z.object({ operation: z.string(), collection: z.string() }) })

export const postDeleted = z.object({
  did,
  time_us: timeUs,
  commit: z.object({ operation: z.literal('delete'), rkey: key, rev: z.string() }),
})

const reference = z.object({ uri: z.string() })
const blob = z.object({ ref: z.object({ $link: z.string() }) })
const feature = z.object({ $type: z.string(), uri: z.string().optional() })
const external = z.object({ uri: z.string().optional(), thumb: blob.optional().catch(undefined) })
/** A new kind of embed must not lose the post. */
const media = z.object({ images: z.array(z.object({ image: blob })).optional(), external: external.optional() })
const embed = media.extend({ media: media.optional().catch(undefined) })

export const postRecord = z.object({
  text: z.string(),
  createdAt: z.string().nullish(),
  langs: z.array(z.string()).nullish().catch(null),
  facets: z
    .array(z.object({ features: z.array(feature) }))
    .nullish()
    .catch(null),
  reply: z.object({ parent: reference }).nullish().catch(null),
  embed: embed.nullish().catch(null),
})

export const postWritten = z.object({
  did,
  time_us: timeUs,
  commit: z.object({
    operation: z.enum(['create', 'update']),
    rkey: key,
    rev: z.string(),
    cid: z.string(),
    record: postRecord,
  }),
})

export const accountChanged = z.object({
  did,
  time_us: timeUs,
  account: z.object({ active: z.boolean(), status: z.string().nullish(), seq: z.number().nullish() }),
})

/** The handle is `handle.invalid` if it no longer leads back to the account. */
export const profile = z.object({
  did,
  handle: z.string().min(1),
  displayName: z.string().nullish(),
  avatar: z.string().nullish(),
  followersCount: z.int().nullish(),
})

const counts = {
  likeCount: z.int().nullish(),
  repostCount: z.int().nullish(),
  replyCount: z.int().nullish(),
  quoteCount: z.int().nullish(),
  bookmarkCount: z.int().nullish(),
}

export const postView = z.object({
  uri: z.string(),
  cid: z.string(),
  author: profile.omit({ followersCount: true }),
  record: postRecord,
  indexedAt: z.string(),
  ...counts,
})

export const profilesReply = z.object({ profiles: z.array(z.unknown()).max(100) })
export const postsReply = z.object({ posts: z.array(z.unknown()).max(100) })
export const searchReply = z.object({ posts: z.array(z.unknown()).max(100), cursor: z.string().max(1000).nullish() })

export const resolvedHandle = z.object({ did })
/** Tokens are visible ASCII, as header values must be. */
export const session = z.object({ accessJwt: z.string().regex(/^[\x21-\x7e]{1,8000}$/) })
export const refusal = z.object({ error: z.string() })

export type Profile = z.infer<typeof profile>
export type PostView = z.infer<typeof postView>
export type PostWritten = z.infer<typeof postWritten>
export type PostRecord = z.infer<typeof postRecord>
