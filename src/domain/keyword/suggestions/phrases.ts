import { KEYWORD_LIMITS } from '../keyword.ts'

/** Words in one phrase at most. */
const LONGEST_PHRASE = 3
/** Of a title and of a text so many characters are looked at: what a post is about is said at its beginning. */
const READ_CHARACTERS = 500
/**
 * Of a post so many phrases are taken. Where every character is a word of its own, the first hundred characters or more
 * give so many.
 */
const PHRASES_MOST = 400
/**
 * What parts words without joining them to a phrase: the matcher takes blanks, hyphens and line breaks within one. An
 * underscore joins.
 */
const BREAKS = /[^\p{L}\p{N}\p{M}\p{Pd}\s_]+/u
/** Scripts that are written without blanks. */
const UNSPACED_SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
const UNSPACED = new RegExp(`^[${UNSPACED_SCRIPTS.map((script) => `\\p{Script=${script}}`).join('')}]`, 'u')

/** Cuts a text into folded words as the matcher does. */
export type CutWords = (text: string) => string[]

/** A phrase of one to three words as it would be written into a list, with its words. */
export interface Phrase {
  readonly text: string
  readonly words: readonly string[]
}

/** The phrases that stand in the first characters of a title and of a text, each once, by its text. */
export function phrasesOf(title: string | null, text: string, cut: CutWords): Map<string, Phrase> {
  const phrases = new Map<string, Phrase>()
  const parts = [title ?? '', text].flatMap((whole) => whole.slice(0, READ_CHARACTERS).split(BREAKS))
  for (const part of parts) if (phrases.size < PHRASES_MOST) addPhrases(phrases, wordsOf(part, cut))
  return phrases
}

/**
 * What an underscore joins is no word for a list: a word inside it is not found by the matcher. Null stands for a
 * break.
 */
function wordsOf(part: string, cut: CutWords): (string | null)[] {
  if (!part.includes('_')) return cut(part)
  return part.split(/\s+/).flatMap((piece) => (piece.includes('_') ? [null] : cut(piece)))
}

function addPhrases(phrases: Map<string, Phrase>, words: readonly (string | null)[]): void {
  for (let from = 0; from < words.length; from += 1) {
    const phrase: string[] = []
    for (const word of words.slice(from, from + LONGEST_PHRASE)) {
      if (word === null) break
      if (phrases.size === PHRASES_MOST) return
      phrase.push(word)
      const text = joined(phrase)
      if (!phrases.has(text)) phrases.set(text, { text, words: [...phrase] })
    }
  }
}

function joined(words: readonly string[]): string {
  return words.reduce(
    (text, word) =>
      text === '' || (UNSPACED.test(word) && UNSPACED.test(text.slice(-1))) ? text + word : `${text} ${word}`,
    '',
  )
}

/** True for a phrase that says enough by itself to stand in a list, and fits one: no lone letter, no number. */
export function isTelling({ text }: Phrase): boolean {
  const characters = [...text].length
  return (
    /\p{L}/u.test(text) &&
    (characters >= 3 || (characters === 2 && UNSPACED.test(text))) &&
    characters <= KEYWORD_LIMITS.termEntryMax
  )
}
