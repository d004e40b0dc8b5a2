import { phraseOf, WORD_OR_PICTOGRAPH } from '../phrase.ts'

/** The platform's limit for every paying customer, in its own count. */
const LONGEST_QUERY = 512
/** Reposts repeat their original and would cost money. */
const NO_REPOSTS = '-is:retweet'
const HANDLE = /^@[A-Za-z0-9_]{1,15}$/
const HASHTAG = /^#(?=[\p{N}_]*\p{L})[\p{L}\p{N}_]{1,80}$/u
/** A false positive only finds more. */
const ADDRESS = /^(?:https?:\/\/)?((?:[\p{L}\p{N}-]{1,63}\.){1,10}\p{L}{2,24}(?:[/:?#]\S*)?)$/iu
/** Quotation marks and backslashes end a phrase; control characters are refused. */
const UNQUOTABLE = /["\\“”„‟«»＂\p{Cc}]+/gu

/** Null if all phrases are punctuation. */
export function queryOf(terms: readonly string[]): string | null {
  const wanted = [...new Set(terms.flatMap(alternativesOf))]
  if (wanted.length === 0) return null
  return `${wanted.length === 1 ? wanted[0] : `(${wanted.join(' OR ')})`} ${NO_REPOSTS}`
}

export function fits(terms: readonly string[]): boolean {
  return weightOf(queryOf(terms) ?? '') <= LONGEST_QUERY
}

/**
 * As a phrase a handle or hashtag would match the bare word, and every such post costs money. Posts shorten addresses,
 * so `url:` searches their targets.
 */
function alternativesOf(term: string): string[] {
  const phrase = phraseOf(term, { unquotable: UNQUOTABLE, searchable: WORD_OR_PICTOGRAPH })
  if (phrase === null) return []
  if (HANDLE.test(phrase) || HASHTAG.test(phrase)) return [phrase]
  const address = ADDRESS.exec(phrase)?.[1]
  return address === undefined ? [`"${phrase}"`] : [`"${phrase}"`, `url:"${address}"`]
}

/** Characters outside European scripts count twice. */
function weightOf(query: string): number {
  let weight = 0
  for (const character of query) weight += character.codePointAt(0)! <= 0x10ff ? 1 : 2
  return weight
}
