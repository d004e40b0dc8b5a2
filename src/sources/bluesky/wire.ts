import { z } from 'zod'

/** The collection that holds posts. */
export const POST_COLLECTION = 'app.bsky.feed.post'

const did = z.string().regex(/^did:[a-z]+:[A-Za-z0-9._:%-]{1,250}$/)
const timeUs = z.int().positive()
const key = z.string().regex(/^[A-Za-z0-9._~:-]{1,512}$/)

/** What every message has; the kinds that are not read have nothing more that is relied on. */
export const envelope = z.object({ did, time_us: timeUs, kind: z.string().min(1) })

/** The part of a commit by which it is told whether it is about a post. */
export const commitHead = z.object({ commit: z.object({ operation: z.string(), collection: z.string() }) })

export const postDeleted = z.object({ did, time_us: timeUs, commit: z.object({ operation: z.literal('delete'), rkey: key, rev: z.string() }) })

const reference = z.object({ uri: z.string() })
const blob = z.object({ ref: z.object({ $link: z.string() }) })
const feature = z.object({ $type: z.string(), uri: z.string().optional() })
const external = z.object({ uri: z.string().optional(), thumb: blob.optional().catch(undefined) })
/** Only what is read of an embed: its link and its first picture. A new sort of embed is no reason to lose the post. */
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
  commit: z.object({ operation: z.enum(['create', 'update']), rkey: key, rev: z.string(), cid: z.string(), record: postRecord }),
})

export const accountChanged = z.object({
  did,
  time_us: timeUs,
  account: z.object({ active: z.boolean(), status: z.string().nullish(), seq: z.number().nullish() }),
})

export type PostWritten = z.infer<typeof postWritten>
export type PostRecord = z.infer<typeof postRecord>
