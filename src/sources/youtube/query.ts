import { phraseOf, WORD_OR_PICTOGRAPH } from '../phrase.ts'

/** Phrases in one search; more share the same fifty places on a page. */
export const TERMS_PER_SEARCH = 8
/** The platform states no limit; this is well within what it is known to take. */
const LONGEST_QUERY = 400
/** Quotation marks would end a phrase, bars separate them; control characters are refused. */
const UNQUOTABLE = /["“”„‟＂|\p{Cc}]+/gu

/** The query for videos that hold one of the phrases; null when all of them are punctuation alone. */
export function queryOf(terms: readonly string[]): string | null {
  const phrases = terms.flatMap(
    (term) => phraseOf(term, { unquotable: UNQUOTABLE, searchable: WORD_OR_PICTOGRAPH }) ?? [],
  )
  return phrases.length === 0 ? null : [...new Set(phrases)].map((phrase) => `"${phrase}"`).join('|')
}

/** Whether the phrases fit one query. A single one always does. */
export function fits(terms: readonly string[]): boolean {
  return terms.length === 1 || (queryOf(terms)?.length ?? 0) <= LONGEST_QUERY
}
