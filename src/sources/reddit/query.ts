import { phraseOf } from '../phrase.ts'

/** Longest search that Reddit takes, in characters. */
const LONGEST_QUERY = 512
/** Reddit's clock and ours differ, and a poll takes a while. */
const SPAN_MARGIN_MS = 5 * 60_000
const HOUR_MS = 3_600_000
/** The spans that a search can be narrowed to, in hours. */
const SPANS: readonly (readonly [name: string, hours: number])[] = [
  ['hour', 1],
  ['day', 24],
  ['week', 7 * 24],
  ['month', 30 * 24],
  ['year', 365 * 24],
]
const ADDRESS = /^(?:https?:\/\/)?((?:[\p{L}\p{N}-]+\.)+\p{L}{2,24}(?:[/?#]\S*)?)$/iu

/**
 * The search for posts that hold one of the phrases; empty when none of them has a letter or digit, because Reddit
 * compares words. Posts that only link to an address are found by a field of their own.
 */
export function queryOf(terms: readonly string[]): string {
  return terms.flatMap(alternativesOf).join(' OR ')
}

/** Whether Reddit takes the phrases in one search. */
export function fitOneQuery(terms: readonly string[]): boolean {
  return terms.length <= 1 || queryOf(terms).length <= LONGEST_QUERY
}

/** The shortest span of Reddit's that reaches back to `since`. */
export function spanOf(since: Date, at: Date): string {
  const hours = (at.getTime() - since.getTime() + SPAN_MARGIN_MS) / HOUR_MS
  return SPANS.find(([, most]) => hours <= most)?.[0] ?? 'all'
}

function alternativesOf(term: string): string[] {
  const phrase = phraseOf(term)
  if (phrase === null) return []
  const address = phrase.match(ADDRESS)?.[1]
  return address === undefined ? [`"${phrase}"`] : [`"${phrase}"`, `url:"${address}"`]
}
