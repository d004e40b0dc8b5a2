import type { Platform, ReviewPlatform } from '../platform/platforms.ts'

/** Counts that a platform shows beside a post. A count that it does not give is null, never 0. */
export interface Engagement {
  likes: number | null
  reposts: number | null
  replies: number | null
  quotes: number | null
  views: number | null
  bookmarks: number | null
}

/** What a post answers to, as far as it is known. */
export interface ReplyTo {
  author: string | null
  url: string | null
  text: string | null
}

/** Who wrote a post, in the words of the platform. `id` is the platform's own id of the person and never changes. */
export interface Author {
  id: string | null
  name: string | null
  handle: string | null
  url: string | null
  avatarUrl: string | null
  followers: number | null
  /** True when the platform itself says that a program writes here. */
  automated: boolean | null
}

/** The parts of a post that only reviews have. */
export interface Review {
  /** Stars given, 1 to `ratingMax`. */
  rating: number
  ratingMax: number
  title: string | null
  version: string | null
  /** The storefront, two lowercase letters, where the platform has storefronts. */
  country: string | null
  verified: boolean | null
  response: string | null
  responseAt: Date | null
  app: { platform: Extract<ReviewPlatform, 'appstore' | 'googleplay'>; id: string; url: string } | null
}

/**
 * A post as every collector hands it over: plain text, absolute addresses, UTC times. `platform` and `nativeId`
 * together identify it for ever; the address does not.
 */
export interface Post {
  platform: Platform
  nativeId: string
  url: string
  title: string | null
  /** Plain text in NFC without control characters, at most 8 KB of UTF-8. */
  text: string
  imageUrl: string | null
  /** Absolute http(s) targets of the post's links, without repeats, at most 20. */
  links: string[]
  publishedAt: Date
  /** ISO 639-1, when the platform or the author says so; a hint, not a finding. */
  languageHint: string | null
  engagement: Engagement | null
  replyTo: ReplyTo | null
  author: Author | null
  review: Review | null
}

/** The text of a post as it is shown: of a post that has a title only, the title. */
export function shownText({ title, text }: Pick<Post, 'title' | 'text'>): string {
  return text === '' ? (title ?? '') : text
}

/** Limits of the stored form of a post. */
export const POST_LIMITS = {
  textBytes: 8192,
  titleCharacters: 500,
  links: 20,
  addressCharacters: 2048,
  nativeIdCharacters: 300,
} as const
