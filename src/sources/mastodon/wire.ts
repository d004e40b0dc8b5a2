import { z } from 'zod'

/** Related software sends numbers. */
const id = z.union([z.string().min(1).max(100), z.number()]).transform(String)
const count = z.int().nullish().catch(null)
const flag = z.boolean().nullish().catch(null)
const line = z.string().nullish().catch(null)

export const account = z.object({
  id,
  acct: z.string().min(1),
  display_name: line,
  url: z.string(),
  /** Since version 4.2. */
  uri: line,
  avatar: line,
  note: line,
  followers_count: count,
  bot: flag,
  noindex: flag,
  discoverable: flag,
})

export const status = z.object({
  id,
  /** The same on every server, unlike `id`. */
  uri: z.string().min(1),
  url: line,
  created_at: z.string(),
  edited_at: line,
  content: z.string(),
  spoiler_text: line,
  visibility: z.string(),
  language: line,
  in_reply_to_id: id.nullish().catch(null),
  in_reply_to_account_id: id.nullish().catch(null),
  reblog: z.unknown().optional(),
  account,
  favourites_count: count,
  reblogs_count: count,
  replies_count: count,
  quotes_count: count,
  media_attachments: z.array(z.object({ preview_url: line })).catch([]),
  mentions: z.array(z.object({ id, acct: z.string(), url: z.string().catch('') })).catch([]),
  card: z.object({ url: line, image: line }).nullish().catch(null),
  poll: z
    .object({ options: z.array(z.object({ title: z.string() })) })
    .nullish()
    .catch(null),
})

export const page = z.array(z.unknown()).max(200)
export const searchReply = z.object({ statuses: page })
/** Enough to know where an unreadable item stands. */
export const placed = z.object({ id })

export type Account = z.infer<typeof account>
export type Status = z.infer<typeof status>
