import type { Platform } from '../domain/platform/platforms.ts'
import { type Author, type Engagement, POST_LIMITS, type Post, type ReplyTo, type Review } from '../domain/post/post.ts'
import { cleanLine, cleanText, excerpt, truncateBytes, webAddress } from '../kernel/text.ts'
import { addressesIn } from './addresses-in.ts'

/** Absent and null both mean unknown. */
export interface PostDraft {
  platform: Platform
  nativeId: string
  url: string
  title?: string | null | undefined
  text: string
  imageUrl?: string | null | undefined
  /** Absent where the platform lists none: then the text's addresses count. */
  links?: Iterable<string | null | undefined>
  /** Null if the platform's time is invalid. */
  publishedAt: Date | null
  /** A language tag such as `en`, `pt-BR` or `zh_Hans`. */
  languageTag?: string | null | undefined
  engagement?: { readonly [Count in keyof Engagement]?: number | null | undefined } | null
  replyTo?: Partial<ReplyTo> | null
  author?: Partial<Author> | null
  review?: Review | null
}

/** Bounds the time spent on a huge field. */
const RAW_TEXT_UNITS = 65_536
const NAME_CHARACTERS = 200
const EARLIEST = Date.UTC(2000, 0, 1)
const RENAMED_LANGUAGES = new Map([
  ['iw', 'he'],
  ['in', 'id'],
  ['ji', 'yi'],
])

/**
 * The only way to a `Post`: bounds every field by `POST_LIMITS` and times to 2000 to `at`. Null for an invalid address
 * or id (a cut id could be another post's).
 */
export function normalPost(draft: PostDraft, at: Date): Post | null {
  const nativeId = boundedId(draft.nativeId)
  const url = boundedAddress(draft.url)
  if (nativeId === null || url === null) return null
  return {
    platform: draft.platform,
    nativeId,
    url,
    title: boundedLine(draft.title, POST_LIMITS.titleCharacters),
    text: boundedText(draft.text),
    imageUrl: boundedAddress(draft.imageUrl),
    links: boundedLinks(draft.links ?? addressesIn(draft.text)),
    publishedAt: boundedTime(draft.publishedAt, at),
    languageHint: languageFrom(draft.languageTag),
    engagement: boundedEngagement(draft.engagement ?? null),
    replyTo: boundedReplyTo(draft.replyTo ?? null),
    author: authorFrom(draft.author ?? null),
    review: draft.review ? reviewFrom(draft.review, at) : null,
  }
}

/** Null for three-letter codes. */
export function languageFrom(tag: string | null | undefined): string | null {
  const head = tag
    ?.slice(0, 35)
    .trim()
    .toLowerCase()
    .match(/^([a-z]{2})(?:[-_]|$)/)?.[1]
  return head === undefined ? null : (RENAMED_LANGUAGES.get(head) ?? head)
}

/** Null if empty, over 300 characters, or with white space or control characters. */
export function boundedId(id: string | null | undefined): string | null {
  const trimmed = id?.trim() ?? ''
  if (trimmed === '' || trimmed.length > POST_LIMITS.nativeIdCharacters) return null
  return /[\s\p{Cc}]/u.test(trimmed) || !trimmed.isWellFormed() ? null : trimmed
}

/** Null over 2,048 characters, because a cut address leads elsewhere. */
export function boundedAddress(address: string | null | undefined): string | null {
  const trimmed = address?.trim() ?? ''
  if (trimmed.length > POST_LIMITS.addressCharacters) return null
  const normal = webAddress(trimmed)
  return normal !== null && normal.length <= POST_LIMITS.addressCharacters ? normal : null
}

function boundedText(text: string): string {
  return truncateBytes(cleanText(text.slice(0, RAW_TEXT_UNITS)), POST_LIMITS.textBytes)
}

function boundedLine(text: string | null | undefined, characters: number): string | null {
  const line = cleanLine((text ?? '').slice(0, RAW_TEXT_UNITS))
  return line === '' ? null : excerpt(line, characters)
}

function boundedLinks(found: Iterable<string | null | undefined>): string[] {
  const links = new Set<string>()
  for (const address of found) {
    const link = boundedAddress(address)
    if (link !== null) links.add(link)
    if (links.size === POST_LIMITS.links) break
  }
  return [...links]
}

/** Later is a wrong clock, before 2000 a wrong unit. */
function boundedTime(time: Date | null, at: Date): Date {
  const ms = time?.getTime() ?? Number.NaN
  return ms >= EARLIEST && ms <= at.getTime() ? new Date(ms) : new Date(at)
}

function count(value: number | null | undefined): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null
}

/** Null without a known count. */
export function boundedEngagement(given: NonNullable<PostDraft['engagement']> | null): Engagement | null {
  if (given === null) return null
  const { likes, reposts, replies, quotes, views, bookmarks } = given
  const counts = {
    likes: count(likes),
    reposts: count(reposts),
    replies: count(replies),
    quotes: count(quotes),
    views: count(views),
    bookmarks: count(bookmarks),
  }
  return Object.values(counts).every((value) => value === null) ? null : counts
}

/** Bounded like that of a post; null if nothing is left. */
export function boundedReplyTo(given: Partial<ReplyTo> | null): ReplyTo | null {
  if (given === null) return null
  const reply = {
    author: boundedLine(given.author, NAME_CHARACTERS),
    url: boundedAddress(given.url),
    text: given.text ? boundedText(given.text) || null : null,
  }
  return reply.author === null && reply.url === null && reply.text === null ? null : reply
}

function authorFrom(given: Partial<Author> | null): Author | null {
  if (given === null) return null
  const author = {
    id: boundedId(given.id),
    name: boundedLine(given.name, NAME_CHARACTERS),
    handle: boundedLine(given.handle, NAME_CHARACTERS),
    url: boundedAddress(given.url),
    avatarUrl: boundedAddress(given.avatarUrl),
    followers: count(given.followers),
    automated: given.automated ?? null,
  }
  return author.id === null && author.name === null && author.handle === null && author.url === null ? null : author
}

/** Null outside the scale, such as without stars. */
function reviewFrom(given: Review, at: Date): Review | null {
  if (!(given.ratingMax >= 1 && given.rating >= 1 && given.rating <= given.ratingMax)) return null
  const appUrl = boundedAddress(given.app?.url)
  const country = given.country?.trim().toLowerCase() ?? ''
  return {
    rating: given.rating,
    ratingMax: given.ratingMax,
    title: boundedLine(given.title, POST_LIMITS.titleCharacters),
    version: boundedLine(given.version, NAME_CHARACTERS),
    country: /^[a-z]{2}$/.test(country) ? country : null,
    verified: given.verified,
    response: given.response === null ? null : boundedText(given.response) || null,
    responseAt: given.responseAt === null ? null : boundedTime(given.responseAt, at),
    app:
      given.app && appUrl !== null && boundedId(given.app.id) !== null
        ? { platform: given.app.platform, id: given.app.id.trim(), url: appUrl }
        : null,
  }
}
