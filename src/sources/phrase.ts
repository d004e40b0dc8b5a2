const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u
/** Marks that end a phrase, the backslash that escapes them, and refused control characters. */
const UNQUOTABLE = /["“”„‟\\\p{Cc}]+/gu

export interface PhraseRules {
  /** A global expression. */
  unquotable?: RegExp
  searchable?: RegExp
}

/** One line; null if nothing searchable remains. */
export function phraseOf(
  term: string,
  { unquotable = UNQUOTABLE, searchable = LETTER_OR_DIGIT }: PhraseRules = {},
): string | null {
  const phrase = term.replace(unquotable, ' ').replace(/\s+/g, ' ').trim()
  return searchable.test(phrase) ? phrase : null
}

/** Cut between words if possible. A shorter phrase only finds more. */
export function cutBetweenWords(phrase: string, mostUnits: number): string {
  if (phrase.length <= mostUnits) return phrase
  const space = phrase.lastIndexOf(' ', mostUnits)
  return phrase.slice(0, space > 0 ? space : mostUnits).replace(/[\uD800-\uDBFF]$/, '')
}

/** For platforms that index pictographs. */
export const WORD_OR_PICTOGRAPH = /[\p{L}\p{N}\p{Extended_Pictographic}]/u
