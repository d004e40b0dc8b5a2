import { phraseOf, WORD_OR_PICTOGRAPH } from '../phrase.ts'

/** Most characters of a query that every paying customer may ask, as the platform counts them. */
const LONGEST_QUERY = 512
/** Reposts hold nothing that their original does not, and would be paid for. */
const NO_REPOSTS = '-is:retweet'
const HANDLE = /^@[A-Za-z0-9_]{1,15}$/
const HASHTAG = /^#(?=[\p{N}_]*\p{L})[\p{L}\p{N}_]{1,80}$/u
/** Looks like a domain with or without a path. Where it is wrong the query asks for a little too much. */
const ADDRESS = /^(?:https?:\/\/)?((?:[\p{L}\p{N}-]{1,63}\.){1,10}\p{L}{2,24}(?:[/:?#]\S*)?)$/iu
/** Quotation marks and what escapes them would end a phrase; control characters are refused. */
const UNQUOTABLE = /["\\“”„‟«»＂\p{Cc}]+/gu

/**
 * The query for posts that hold one of the phrases; null when none of them can be searched for, because it is made of
 * punctuation alone.
 */
export function queryOf(terms: readonly string[]): string | null {
  const wanted = [...new Set(terms.flatMap(alternativesOf))]
  if (wanted.length === 0) return null
  return `${wanted.length === 1 ? wanted[0] : `(${wanted.join(' OR ')})`} ${NO_REPOSTS}`
}

/** Whether the phrases fit one query. */
export function fits(terms: readonly string[]): boolean {
  return weightOf(queryOf(terms) ?? '') <= LONGEST_QUERY
}

/**
 * Handles and hashtags are asked for as such: as a phrase they would lose their sign, and every post with the bare word
 * would have to be paid for. The text of a post holds its addresses shortened, so they are asked for by their targets,
 * too.
 */
function alternativesOf(term: string): string[] {
  const phrase = phraseOf(term, { unquotable: UNQUOTABLE, searchable: WORD_OR_PICTOGRAPH })
  if (phrase === null) return []
  if (HANDLE.test(phrase) || HASHTAG.test(phrase)) return [phrase]
  const address = ADDRESS.exec(phrase)?.[1]
  return address === undefined ? [`"${phrase}"`] : [`"${phrase}"`, `url:"${address}"`]
}

/** The platform counts characters outside the European scripts, such as Chinese ones and pictographs, twice. */
function weightOf(query: string): number {
  let weight = 0
  for (const character of query) weight += character.codePointAt(0)! <= 0x10ff ? 1 : 2
  return weight
}
