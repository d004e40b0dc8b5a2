import { cutBetweenWords, phraseOf } from '../phrase.ts'

/** Most phrases of one query: the platform takes five operators, and one stands between every two phrases. */
export const TERMS_PER_SEARCH = 6
/** Most characters of a query, its qualifiers not counted. */
const QUERY_CHARACTERS = 256
/** A phrase past this is cut at a word, which finds more than the whole phrase would, never less. */
const PHRASE_CHARACTERS = 200
/** Dependency updates carry the release notes of other projects, in great numbers and on behalf of nobody. */
const NOT_BY = '-author:app/dependabot -author:app/renovate'

/** Whether these terms fit one query. */
export function fits(terms: readonly string[]): boolean {
  return terms.length <= TERMS_PER_SEARCH && (wanted(terms)?.length ?? 0) <= QUERY_CHARACTERS
}

/**
 * The query for everything that holds one of the terms in title, text or comments and was touched since then. One
 * window on the time of the last touch finds both new posts and new comments on old ones. Null when no term holds
 * anything that the platform's index knows, which is letters and digits only.
 */
export function queryOf(terms: readonly string[], since: Date): string | null {
  const text = wanted(terms)
  return text === null ? null : `${text} in:title,body,comments updated:>=${toSeconds(since)} is:public ${NOT_BY}`
}

function wanted(terms: readonly string[]): string | null {
  const phrases = [...new Set(terms.flatMap(boundedPhrases))].map((phrase) => `"${phrase}"`)
  if (phrases.length === 0) return null
  return phrases.length === 1 ? phrases[0]! : `(${phrases.join(' OR ')})`
}

/** Lower case keeps words such as "OR" inside a phrase from being counted as operators; case is ignored anyway. */
function boundedPhrases(term: string): string[] {
  const phrase = phraseOf(term)
  return phrase === null ? [] : [cutBetweenWords(phrase.toLowerCase(), PHRASE_CHARACTERS)]
}

function toSeconds(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`
}
