/** What a phrase is found by where an index compares words. */
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u
/**
 * Quotation marks, curly ones too, would end the phrase, a backslash would escape the mark behind it, control
 * characters are refused.
 */
const UNQUOTABLE = /["“”„‟\\\p{Cc}]+/gu

export interface PhraseRules {
  /** Characters that the platform cannot take between quotation marks; a global expression. */
  unquotable?: RegExp
  /** What the phrase must hold to be found by anything. */
  searchable?: RegExp
}

/**
 * A term as it can stand between quotation marks, on one line and with single spaces; null when nothing is left in it
 * that can be searched for.
 */
export function phraseOf(
  term: string,
  { unquotable = UNQUOTABLE, searchable = LETTER_OR_DIGIT }: PhraseRules = {},
): string | null {
  const phrase = term.replace(unquotable, ' ').replace(/\s+/g, ' ').trim()
  return searchable.test(phrase) ? phrase : null
}

/**
 * The start of a phrase with at most so many UTF-16 units, cut between words where it can be. A shorter phrase finds
 * more, never less.
 */
export function cutBetweenWords(phrase: string, mostUnits: number): string {
  if (phrase.length <= mostUnits) return phrase
  const space = phrase.lastIndexOf(' ', mostUnits)
  return phrase.slice(0, space > 0 ? space : mostUnits).replace(/[\uD800-\uDBFF]$/, '')
}

/** Of platforms that find pictographs, too. */
export const WORD_OR_PICTOGRAPH = /[\p{L}\p{N}\p{Extended_Pictographic}]/u
