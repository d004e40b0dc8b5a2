import { phraseOf } from '../phrase.ts'

/** Characters. */
const LONGEST_QUERY = 512
/** Covers clock differences and a poll's duration. */
const SPAN_MARGIN_MS = 5 * 60_000
const HOUR_MS = 3_600_000
/** Reddit's time filters, in hours. */
const SPANS: readonly (readonly [name: string, hours: number])[] = [
  ['hour', 1],
  ['day', 24],
  ['week', 7 * 24],
  ['month', 30 * 24],
  ['year', 365 * 24],
]
const ADDRESS = /^(?:https?:\/\/)?((?:[\p{L}\p{N}-]+\.)+\p{L}{2,24}(?:[/?#]\S*)?)$/iu

/** Empty if no phrase has a letter or digit, because Reddit compares words. Link posts are found by the `url` field. */
export function queryOf(terms: readonly string[]): string {
  return terms.flatMap(alternativesOf).join(' OR ')
}

export function fitOneQuery(terms: readonly string[]): boolean {
  return terms.length <= 1 || queryOf(terms).length <= LONGEST_QUERY
}

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
