const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u
/**
 * Quotation marks, curly ones included, end a phrase, a backslash escapes the mark behind it, and control characters
 * are refused.
 */
const UNQUOTABLE = /["“”„‟\\\p{Cc}]+/gu

export interface PhraseRules {
  /** Characters that the platform does not accept in quotation marks; a global expression. */
  unquotable?: RegExp
  /** What the phrase must contain to be searchable. */
  searchable?: RegExp
}

/** A term for use in quotation marks, on one line; null if nothing searchable remains. */
export function phraseOf(
  term: string,
  { unquotable = UNQUOTABLE, searchable = LETTER_OR_DIGIT }: PhraseRules = {},
): string | null {
  const phrase = term.replace(unquotable, ' ').replace(/\s+/g, ' ').trim()
  return searchable.test(phrase) ? phrase : null
}

/** At most `mostUnits` UTF-16 units, cut between words if possible. A shorter phrase only finds more. */
export function cutBetweenWords(phrase: string, mostUnits: number): string {
  if (phrase.length <= mostUnits) return phrase
  const space = phrase.lastIndexOf(' ', mostUnits)
  return phrase.slice(0, space > 0 ? space : mostUnits).replace(/[\uD800-\uDBFF]$/, '')
}

/** For platforms that index pictographs. */
export const WORD_OR_PICTOGRAPH = /[\p{L}\p{N}\p{Extended_Pictographic}]/u
