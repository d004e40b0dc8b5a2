import { phraseOf, WORD_OR_PICTOGRAPH } from '../phrase.ts'

/** More would share the fifty results of a page. */
export const TERMS_PER_SEARCH = 8
/** Undocumented; known to work. */
const LONGEST_QUERY = 400
/** Marks end a phrase, bars separate phrases, control characters are refused. */
const UNQUOTABLE = /["“”„‟＂|\p{Cc}]+/gu

/** Null if all phrases are punctuation. */
export function queryOf(terms: readonly string[]): string | null {
  const phrases = terms.flatMap(
    (term) => phraseOf(term, { unquotable: UNQUOTABLE, searchable: WORD_OR_PICTOGRAPH }) ?? [],
  )
  return phrases.length === 0 ? null : [...new Set(phrases)].map((phrase) => `"${phrase}"`).join('|')
}

export function fits(terms: readonly string[]): boolean {
  return terms.length === 1 || (queryOf(terms)?.length ?? 0) <= LONGEST_QUERY
}
