import type { Post } from '../../domain/post/post.ts'
import { canParse } from '../../kernel/can-parse.ts'
import { MINUTE_MS } from '../../kernel/clock.ts'
import { type HtmlText, htmlToText } from '../html-text.ts'
import { normalPost, type PostDraft } from '../normal-post.ts'
import type { Account, Status } from './wire.ts'

/** Whose wish not to be found is honoured: that of search engines and programs, also that of discovery, or nobody's. */
export type Honoured = 'on' | 'noindex' | 'off'

export interface Reading {
  /** The server whose ids the status has; null if unknown. */
  server: string | null
  at: Date
}

/** Links that lead to people and tags. */
const UNLISTED: ReadonlySet<string> = new Set(['mention', 'hashtag'])
/** A younger post has only zeros, which would be stored for good. */
const COUNTED_AFTER_MS = 10 * MINUTE_MS
/** The custom of the network for people who want no programs. */
const NO_PROGRAMS = /#nobots?(?![\p{L}\p{N}_])/iu
const NOTE_UNITS = 20_000

/** Null if the post has no valid id. */
export function toPost(status: Status, { server, at }: Reading): Post | null {
  const content = htmlToText(status.content, { unlisted: UNLISTED })
  const draft: PostDraft = {
    platform: 'mastodon',
    nativeId: status.uri,
    url: status.url || status.uri,
    text: textOf(status, content),
    imageUrl: status.media_attachments[0]?.preview_url ?? status.card?.image,
    links: [...content.links, status.card?.url],
    publishedAt: timeOf(status.created_at),
    languageTag: status.language,
    engagement: engagementOf(status, at),
    replyTo: parentOf(status, server),
    author: authorOf(status.account),
  }
  return normalPost(draft, at)
}

/** Whether the author lets everybody find the post. */
export function isWanted(status: Status, honoured: Honoured): boolean {
  if (status.visibility !== 'public' || status.reblog != null) return false
  if (honoured === 'off') return true
  const { noindex, note, discoverable } = status.account
  if (noindex === true || (note && NO_PROGRAMS.test(plainNote(note)))) return false
  return honoured === 'noindex' || discoverable !== false
}

/** 0 if it was never edited. */
export function editedMsOf({ edited_at }: Status): number {
  return timeOf(edited_at)?.getTime() ?? 0
}

export function timeOf(text: string | null | undefined): Date | null {
  const ms = text ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) ? null : new Date(ms)
}

/** `name@server` for people of the server as well. */
export function handleOf({ acct, url }: Pick<Account, 'acct' | 'url'>): string {
  return acct.includes('@') || !canParse(url) ? acct : `${acct}@${new URL(url).host}`
}

/** Tags are written as `#<span>nobot</span>`. */
function plainNote(note: string): string {
  return note.slice(0, NOTE_UNITS).replace(/<[^<>]*>/g, '')
}

function textOf({ spoiler_text, poll }: Status, content: HtmlText): string {
  const options = (poll?.options ?? []).map(({ title }) => `- ${title}`).join('\n')
  return [spoiler_text ?? '', content.text, options].filter((part) => part.trim() !== '').join('\n\n')
}

function engagementOf(status: Status, at: Date): NonNullable<PostDraft['engagement']> | null {
  const ageMs = at.getTime() - (timeOf(status.created_at)?.getTime() ?? at.getTime())
  if (ageMs < COUNTED_AFTER_MS) return null
  return {
    likes: status.favourites_count,
    reposts: status.reblogs_count,
    replies: status.replies_count,
    quotes: status.quotes_count,
  }
}

/** Emojis of the server stand in names as `:name:`. */
function authorOf(account: Account): NonNullable<PostDraft['author']> {
  return {
    id: account.uri || account.url,
    name: account.display_name?.replace(/:\w+:/g, '') || account.acct.split('@')[0]!,
    handle: handleOf(account),
    url: account.url,
    avatarUrl: account.avatar ?? null,
    followers: account.followers_count ?? null,
    automated: account.bot ?? null,
  }
}

/** A status names its parent by the reading server's id; the author stands among the mentions, or answers itself. */
function parentOf(status: Status, server: string | null): NonNullable<PostDraft['replyTo']> | null {
  const { in_reply_to_id: id, in_reply_to_account_id: authorId, account, mentions } = status
  if (!id) return null
  const author = authorId === account.id ? account : mentions.find((mention) => mention.id === authorId)
  const acct = author?.acct ?? null
  const home = server ?? homeOf(status)
  return {
    author: author ? handleOf(author) : null,
    url: acct !== null && home !== null ? `https://${home}/@${acct}/${id}` : null,
  }
}

/** The author's server, if the status has that server's ids. */
function homeOf({ id, url }: Status): string | null {
  if (!url || !canParse(url)) return null
  const { host, pathname } = new URL(url)
  return pathname.endsWith(`/${id}`) ? host : null
}
