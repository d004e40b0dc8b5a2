import { cleanLine } from '../../kernel/text.ts'

/** Google reads so many words of a query and passes over the rest; two are kept for the days that it is asked for. */
const MOST_WORDS = 30
/** GDELT refuses long queries without saying how long they may be. */
const MOST_CHARACTERS = 400

/** More would share the hundred articles that a reply holds. */
export const TERMS_PER_SEARCH = 10

/** The phrase as it can stand between quotation marks; null when nothing is left in it that an index keeps words of. */
export function phraseOf(term: string): string | null {
  const phrase = cleanLine(term.replace(/["“”„«»]/g, ' '))
  return wordsIn(phrase) === 0 ? null : phrase
}

/** Whether phrases can be asked for together, each as an alternative of the others. */
export function fits(terms: readonly string[]): boolean {
  if (terms.length <= 1) return true
  const phrases = terms.map((term) => phraseOf(term) ?? '')
  const words = phrases.reduce((sum, phrase) => sum + wordsIn(phrase), terms.length - 1)
  const characters = phrases.reduce((sum, phrase) => sum + phrase.length + ' OR ""'.length, 0)
  return words <= MOST_WORDS && characters <= MOST_CHARACTERS
}

/** A query for articles that hold one of the phrases. */
export function anyOf(quoted: readonly string[]): string {
  return quoted.length === 1 ? (quoted[0] ?? '') : `(${quoted.join(' OR ')})`
}

export function quoted(phrase: string): string {
  return `"${phrase}"`
}

function wordsIn(phrase: string): number {
  return phrase.match(/[\p{L}\p{N}\p{M}]+/gu)?.length ?? 0
}
