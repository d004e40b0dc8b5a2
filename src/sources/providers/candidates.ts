import { z } from 'zod'
import type { Post } from '../../domain/post/post.ts'
import type { SearchQuery } from '../contract.ts'
import { cutBetweenWords, phraseOf } from '../phrase.ts'

/** The hours are those that the provider reliably covers. */
export type CandidateWindow = readonly [name: string, hours: number]

export interface CandidatePage {
  posts: Post[]
  next: string | null
}

const HOUR_MS = 3_600_000
const UNQUOTABLE = /["“”„\p{Cc}]+/gu

/** The smallest window that covers `since`, or the largest; ascending. */
export function windowFor(
  windows: readonly [CandidateWindow, ...CandidateWindow[]],
  { since }: SearchQuery,
  at: Date,
): string {
  const hours = (at.getTime() - since.getTime()) / HOUR_MS
  const [name] = windows.find(([, reach]) => hours <= reach) ?? windows.at(-1) ?? windows[0]
  return name
}

/**
 * Providers sort by relevance, so an old post does not end the pages. `handed` holds the ids already yielded in this
 * search.
 */
export async function* candidateBatches(
  query: SearchQuery,
  mostPages: number,
  readPage: (place: string | null) => Promise<CandidatePage>,
  handed: Set<string> = new Set(),
): AsyncIterable<Post[]> {
  const places = new Set<string | null>()
  let place: string | null = null
  for (let page = 0; page < mostPages && !places.has(place) && handed.size < query.limit; page += 1) {
    places.add(place)
    const { posts, next } = await readPage(place)
    const portion = fresh(posts, query, handed)
    if (portion.length > 0) yield portion
    if (next === null) return
    place = next
  }
}

function fresh(posts: readonly Post[], { since, limit }: SearchQuery, handed: Set<string>): Post[] {
  const wanted = new Map(
    posts
      .filter((post) => post.publishedAt >= since && !handed.has(post.nativeId))
      .map((post) => [post.nativeId, post]),
  )
  const portion = [...wanted.values()]
    .sort((a, b) => b.publishedAt.getTime() - a.publishedAt.getTime())
    .slice(0, Math.max(0, limit - handed.size))
  for (const post of portion) handed.add(post.nativeId)
  return portion
}

/** Cut between words if possible: a shorter phrase only finds more. Null without letters and digits. */
export function searchPhrase(term: string, mostCharacters: number): string | null {
  const phrase = phraseOf(term.slice(0, mostCharacters * 4).toWellFormed(), { unquotable: UNQUOTABLE })
  // A cut may leave only punctuation.
  return phrase && phraseOf(cutBetweenWords(phrase, mostCharacters), { unquotable: UNQUOTABLE })
}

export function present<Value>(values: readonly (Value | null)[]): Value[] {
  return values.filter((value): value is Value => value !== null)
}

/** Invalid texts and counts do not invalidate the post. */
export const maybeText = z.string().nullish().catch(null)
export const maybeCount = z.number().nullish().catch(null)

/** Older times have a wrong unit or come from an invalid id: the first of these platforms opened in 2003. */
const EARLIEST = Date.UTC(2003, 0, 1)
/** Tolerated clock error. */
const AHEAD_MS = 24 * HOUR_MS

/** Null if no instant is plausible: without a time an old post would pass for new. */
export function publicationAmong(at: Date, ...instants: readonly (Date | null)[]): Date | null {
  return (
    instants.find(
      (instant) => instant !== null && instant.getTime() >= EARLIEST && instant.getTime() <= at.getTime() + AHEAD_MS,
    ) ?? null
  )
}

export function timeFrom(text: string | null | undefined): Date | null {
  const ms = text ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) ? null : new Date(ms)
}
