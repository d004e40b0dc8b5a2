import { z } from 'zod'
import type { Post } from '../../domain/post/post.ts'
import type { SearchQuery } from '../contract.ts'
import { cutBetweenWords, phraseOf } from '../phrase.ts'

/** A span that a provider can be asked for, and the hours that it surely reaches back. */
export type Window = readonly [name: string, hours: number]

/** What one request brought, and where the next one goes on; null when there is nothing more worth asking for. */
export interface CandidatePage {
  posts: Post[]
  next: string | null
}

const HOUR_MS = 3_600_000
const UNQUOTABLE = /["“”„\p{Cc}]+/gu

/**
 * The smallest of the windows, listed from small to large, that reaches back to `since`; the largest when none does.
 */
export function windowFor(windows: readonly [Window, ...Window[]], { since }: SearchQuery, at: Date): string {
  const hours = (at.getTime() - since.getTime()) / HOUR_MS
  const [name] = windows.find(([, reach]) => hours <= reach) ?? windows.at(-1) ?? windows[0]
  return name
}

/**
 * Pages one after the other, each as a portion without posts from before `since` and without repeats, newest first.
 * Providers sort by relevance, so an old post does not end it: the limit, the last page or `mostPages` does. `handed`
 * holds the ids that were handed over before in the same search.
 */
export async function* portions(
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

/** The posts that are wanted and were not handed over before, newest first, and no more than still fit the limit. */
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

/**
 * A phrase as a search box takes it: no quotation marks or control characters, at most `mostCharacters`, cut between
 * words where it can be. A shorter phrase finds more, and the caller matches what is found. Null when no letter or
 * digit is left, which nobody can search for.
 */
export function searchPhrase(term: string, mostCharacters: number): string | null {
  const phrase = phraseOf(term.slice(0, mostCharacters * 4).toWellFormed(), { unquotable: UNQUOTABLE })
  // What is left of a phrase may be the punctuation before its first letter.
  return phrase && phraseOf(cutBetweenWords(phrase, mostCharacters), { unquotable: UNQUOTABLE })
}

/** The values that are there. */
export function present<Value>(values: readonly (Value | null)[]): Value[] {
  return values.filter((value): value is Value => value !== null)
}

/** A text field that may be missing, null or of another sort: none of these is worth losing a post over. */
export const maybeText = z.string().nullish().catch(null)
/** A count that may be missing, null or of another sort. */
export const maybeCount = z.number().nullish().catch(null)

/**
 * The first of the platforms read through providers opened in this year: what is said to be older has a wrong unit, or
 * an id that is none.
 */
const EARLIEST = Date.UTC(2003, 0, 1)
/** So far may a clock be wrong. */
const AHEAD_MS = 24 * HOUR_MS

/**
 * The first of the instants at which something can have been published; null when none is. What has none is left out:
 * it would pass for new, however old it is.
 */
export function publicationAmong(at: Date, ...instants: readonly (Date | null)[]): Date | null {
  return (
    instants.find(
      (instant) => instant !== null && instant.getTime() >= EARLIEST && instant.getTime() <= at.getTime() + AHEAD_MS,
    ) ?? null
  )
}

/** An instant in text or null. */
export function timeFrom(text: string | null | undefined): Date | null {
  const ms = text ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) ? null : new Date(ms)
}
