import { cutBetweenWords, phraseOf } from '../phrase.ts'

/** The platform accepts five operators, one between every two phrases. */
export const TERMS_PER_SEARCH = 6
/** Without qualifiers. */
const QUERY_CHARACTERS = 256
/** A longer phrase is cut at a word, which only finds more. */
const PHRASE_CHARACTERS = 200
/** Dependency updates quote other projects' release notes in great numbers. */
const NOT_BY = '-author:app/dependabot -author:app/renovate'

export function fits(terms: readonly string[]): boolean {
  return terms.length <= TERMS_PER_SEARCH && (wanted(terms)?.length ?? 0) <= QUERY_CHARACTERS
}

/**
 * The time of the last update covers new comments on old threads. Null if no term has a letter or digit, because the
 * platform indexes nothing else.
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

/** Lowercase, so that words such as "OR" are not operators. */
function boundedPhrases(term: string): string[] {
  const phrase = phraseOf(term)
  return phrase === null ? [] : [cutBetweenWords(phrase.toLowerCase(), PHRASE_CHARACTERS)]
}

function toSeconds(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`
}
