import { KEYWORD_LIMITS } from '../keyword.ts'

const LONGEST_PHRASE = 3
/** Of title and text each: the beginning says what a post is about. */
const READ_CHARACTERS = 500
/** About a hundred characters in scripts without spaces. */
const PHRASES_MOST = 400
/** Separates words that form no phrase: the matcher joins over blanks, hyphens and line breaks. An underscore joins. */
const BREAKS = /[^\p{L}\p{N}\p{M}\p{Pd}\s_]+/u
const UNSPACED_SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
const UNSPACED = new RegExp(`^[${UNSPACED_SCRIPTS.map((script) => `\\p{Script=${script}}`).join('')}]`, 'u')

export type CutWords = (text: string) => string[]

export interface SuggestedPhrase {
  readonly text: string
  readonly words: readonly string[]
}

export function phrasesOf(title: string | null, text: string, cut: CutWords): Map<string, SuggestedPhrase> {
  const phrases = new Map<string, SuggestedPhrase>()
  const parts = [title ?? '', text].flatMap((whole) => whole.slice(0, READ_CHARACTERS).split(BREAKS))
  for (const part of parts) if (phrases.size < PHRASES_MOST) addPhrases(phrases, wordsOf(part, cut))
  return phrases
}

/** The matcher finds no word inside an underscore compound. Null is a break. */
function wordsOf(part: string, cut: CutWords): (string | null)[] {
  if (!part.includes('_')) return cut(part)
  return part.split(/\s+/).flatMap((piece) => (piece.includes('_') ? [null] : cut(piece)))
}

function addPhrases(phrases: Map<string, SuggestedPhrase>, words: readonly (string | null)[]): void {
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

/** No lone letter, no number. */
export function isDistinctive({ text }: SuggestedPhrase): boolean {
  const characters = [...text].length
  return (
    /\p{L}/u.test(text) &&
    (characters >= 3 || (characters === 2 && UNSPACED.test(text))) &&
    characters <= KEYWORD_LIMITS.termEntryMax
  )
}
