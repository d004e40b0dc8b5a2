import type { Platform, ReviewPlatform } from '../platform/platforms.ts'

/** An unknown count is null, never 0. */
export interface Engagement {
  likes: number | null
  reposts: number | null
  replies: number | null
  quotes: number | null
  views: number | null
  bookmarks: number | null
}

export interface ReplyTo {
  author: string | null
  url: string | null
  text: string | null
}

/** `id` is the platform's and permanent. */
export interface Author {
  id: string | null
  name: string | null
  handle: string | null
  url: string | null
  avatarUrl: string | null
  followers: number | null
  /** By the platform's own label. */
  automated: boolean | null
}

/** An author of whom nothing is known. */
export const UNKNOWN_AUTHOR: Author = {
  id: null,
  name: null,
  handle: null,
  url: null,
  avatarUrl: null,
  followers: null,
  automated: null,
}

export interface Review {
  /** 1 to `ratingMax`. */
  rating: number
  ratingMax: number
  title: string | null
  version: string | null
  /** Two lower-case letters, where the platform has storefronts. */
  country: string | null
  verified: boolean | null
  response: string | null
  responseAt: Date | null
  app: { platform: Extract<ReviewPlatform, 'appstore' | 'googleplay'>; id: string; url: string } | null
}

/** Plain text, absolute addresses, UTC times. `platform` and `nativeId` identify it for ever; the address does not. */
export interface Post {
  platform: Platform
  nativeId: string
  url: string
  title: string | null
  /** NFC without control characters, at most 8 KB of UTF-8. */
  text: string
  imageUrl: string | null
  /** Distinct http(s) targets, at most 20. */
  links: string[]
  publishedAt: Date
  /** A hint of the platform or author, ISO 639-1. */
  languageHint: string | null
  engagement: Engagement | null
  replyTo: ReplyTo | null
  author: Author | null
  review: Review | null
}

export function shownPostText({ title, text }: Pick<Post, 'title' | 'text'>): string {
  return text === '' ? (title ?? '') : text
}

export const POST_LIMITS = {
  textBytes: 8192,
  titleCharacters: 500,
  links: 20,
  addressCharacters: 2048,
  nativeIdCharacters: 300,
} as const
