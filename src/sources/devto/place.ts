import { z } from 'zod'
import { trimOldest } from '../../kernel/concurrency/bounded-cache.ts'
import type { Cursor } from '../contract.ts'
import type { Listed } from './wire.ts'

/** Times in Unix seconds of the platform. */
export interface Known {
  publishedSeconds: number
  /** At the last check, as listed. */
  comments: number
  lastCommentSeconds: number
  /** New comments are later, or in this second and not in `readIds`. */
  readSeconds: number
  readIds: readonly string[]
}

export type ReadUpTo = Pick<Known, 'readSeconds' | 'readIds'>
export const NOTHING_READ: ReadUpTo = { readSeconds: 0, readIds: [] }

export interface DevtoCursor {
  /** An unknown article up to this time was evicted or is older than the collecting. */
  floorSeconds: number
  nextPage: number
  articles: Map<number, Known>
  /** Attempts by postponed article. */
  tries: Map<number, number>
}

/** More than are checked, so that an article that moves up again is known. */
const ARTICLES_MAX = 2400
const TRIES_MAX = 200
/** Beyond this bound comments are yielded again. */
const IDS_MAX = 20

/** `articles`: id, the numbers of `Known` and its ids (joined by dots), joined by colons. `tries`: id and number. */
const cursorShape = z.object({
  floorSeconds: z.int(),
  nextPage: z.int().min(2),
  articles: z.array(z.string()),
  tries: z.array(z.string()).default([]),
})

export function placeFrom(cursor: Cursor): DevtoCursor {
  const { articles, tries, ...rest } = cursorShape.parse(cursor)
  return {
    ...rest,
    articles: new Map(articles.map(entryFrom)),
    tries: new Map(tries.map((entry) => entry.split(':').map(Number) as [number, number])),
  }
}

function entryFrom(entry: string): [number, Known] {
  const parts = entry.split(':')
  const [id = 0, publishedSeconds = 0, comments = 0, lastCommentSeconds = 0, readSeconds = 0] = parts
    .slice(0, 5)
    .map(Number)
  return [id, { publishedSeconds, comments, lastCommentSeconds, readSeconds, readIds: parts[5]?.split('.') ?? [] }]
}

export function toCursor({ floorSeconds, nextPage, articles, tries }: DevtoCursor): Cursor {
  return {
    floorSeconds,
    nextPage,
    articles: [...articles].map(toEntry),
    tries: [...tries].map(([id, count]) => `${id}:${count}`),
  }
}

function toEntry([id, known]: [number, Known]): string {
  const { publishedSeconds, comments, lastCommentSeconds, readSeconds, readIds } = known
  const ids = readIds.length === 0 ? [] : [readIds.join('.')]
  return [id, publishedSeconds, comments, lastCommentSeconds, readSeconds, ...ids].join(':')
}

export function recordArticle(place: DevtoCursor, listed: Listed, { readSeconds, readIds }: ReadUpTo): void {
  place.articles.set(listed.id, {
    publishedSeconds: secondsOf(listed.published_timestamp),
    comments: listed.comments_count,
    lastCommentSeconds: secondsOf(listed.last_comment_at),
    readSeconds,
    readIds: readIds.slice(0, IDS_MAX),
  })
}

/** Raises the floor to the evicted articles' time. */
export function evictOldest(place: DevtoCursor): void {
  trimOldest(place.tries, TRIES_MAX)
  const surplus = place.articles.size - ARTICLES_MAX
  if (surplus <= 0) return
  const oldest = [...place.articles].sort(([, a], [, b]) => a.publishedSeconds - b.publishedSeconds).slice(0, surplus)
  for (const [id, { publishedSeconds }] of oldest) {
    place.articles.delete(id)
    place.floorSeconds = Math.max(place.floorSeconds, publishedSeconds)
  }
}

export function secondsOf(time: string | null | undefined): number {
  const ms = Date.parse(time ?? '')
  return Number.isNaN(ms) ? 0 : Math.floor(ms / 1000)
}
