import { z } from 'zod'
import { forgetOldest } from '../bounded-memory.ts'
import type { Cursor } from '../contract.ts'
import type { Listed } from './wire.ts'

/** What is known of an article that was seen; all times in Unix seconds of the platform. */
export interface Known {
  publishedSeconds: number
  /** Number of its comments when they were last looked at, and when the newest was written, as the list says. */
  comments: number
  lastCommentSeconds: number
  /** Comments written later than this are new, and those written in this second that are not in `readIds`. */
  readSeconds: number
  readIds: readonly string[]
}

/** Up to which comments of an article have been read. */
export type ReadUpTo = Pick<Known, 'readSeconds' | 'readIds'>
export const NOTHING_READ: ReadUpTo = { readSeconds: 0, readIds: [] }

/** Where collecting has got to. */
export interface Place {
  /** An unknown article from this time or before is not new: it has been forgotten, or is older than the collecting. */
  floorSeconds: number
  /** The page of older articles that is looked through next. */
  nextPage: number
  articles: Map<number, Known>
  /** How often articles that were put off have been tried. */
  tries: Map<number, number>
}

/** Articles are kept beyond those that are looked through, so that one that moves up again is known. */
const REMEMBERED_ARTICLES = 2400
/** Articles of which it is known how often they were tried. */
const REMEMBERED_TRIES = 200
/** Comments of one second; past this bound some are handed over again. */
const REMEMBERED_IDS = 20

/**
 * Each of `articles` holds an id, the four figures of `Known` and its ids (with dots between them), in their order,
 * with colons between them; each of `tries` an id and a number.
 */
const cursorShape = z.object({
  floorSeconds: z.int(),
  nextPage: z.int().min(2),
  articles: z.array(z.string()),
  tries: z.array(z.string()).default([]),
})

export function placeFrom(cursor: Cursor): Place {
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

export function toCursor({ floorSeconds, nextPage, articles, tries }: Place): Cursor {
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

/** Notes that the article and its comments were looked at as they are listed. */
export function remember(place: Place, listed: Listed, { readSeconds, readIds }: ReadUpTo): void {
  place.articles.set(listed.id, {
    publishedSeconds: secondsOf(listed.published_timestamp),
    comments: listed.comments_count,
    lastCommentSeconds: secondsOf(listed.last_comment_at),
    readSeconds,
    readIds: readIds.slice(0, REMEMBERED_IDS),
  })
}

/** Forgets the oldest articles beyond the bound; from then on nothing of their age is new. */
export function forget(place: Place): void {
  forgetOldest(place.tries, REMEMBERED_TRIES)
  const surplus = place.articles.size - REMEMBERED_ARTICLES
  if (surplus <= 0) return
  const oldest = [...place.articles].sort(([, a], [, b]) => a.publishedSeconds - b.publishedSeconds).slice(0, surplus)
  for (const [id, { publishedSeconds }] of oldest) {
    place.articles.delete(id)
    place.floorSeconds = Math.max(place.floorSeconds, publishedSeconds)
  }
}

/** Unix seconds of a time as the platform writes it; 0 when there is none. */
export function secondsOf(time: string | null | undefined): number {
  const ms = Date.parse(time ?? '')
  return Number.isNaN(ms) ? 0 : Math.floor(ms / 1000)
}
