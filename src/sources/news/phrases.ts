import { cleanLine } from '../../kernel/text.ts'

/** Google ignores words beyond 32; two are reserved for the days. */
const MOST_WORDS = 30
/** The limit is undocumented. */
const MOST_CHARACTERS = 400

export const TERMS_PER_SEARCH = 10

/** Null if an index would find no word in it. */
export function phraseOf(term: string): string | null {
  const phrase = cleanLine(term.replace(/["“”„«»]/g, ' '))
  return wordsIn(phrase) === 0 ? null : phrase
}

export function fits(terms: readonly string[]): boolean {
  if (terms.length <= 1) return true
  const phrases = terms.map((term) => phraseOf(term) ?? '')
  const words = phrases.reduce((sum, phrase) => sum + wordsIn(phrase), terms.length - 1)
  const characters = phrases.reduce((sum, phrase) => sum + phrase.length + ' OR ""'.length, 0)
  return words <= MOST_WORDS && characters <= MOST_CHARACTERS
}

export function anyOf(quoted: readonly string[]): string {
  return quoted.length === 1 ? (quoted[0] ?? '') : `(${quoted.join(' OR ')})`
}

export function quoted(phrase: string): string {
  return `"${phrase}"`
}

function wordsIn(phrase: string): number {
  return phrase.match(/[\p{L}\p{N}\p{M}]+/gu)?.length ?? 0
}
