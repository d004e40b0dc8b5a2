import type { eld } from 'eld/extrasmall'
import type { Reading } from './reading.ts'
import { hashOfWord, KIND, type Tokens } from './tokens.ts'

/**
 * The language of a text as an ISO 639-1 code, or null when it is too short or too mixed to tell. Addresses, handles and
 * numbers are left out. Where the words alone leave doubt, the platform's hint may confirm the first guess.
 */
export type LanguageOf = (reading: Reading, hint: string | null) => string | null

/** Loads the n-grams of 60 languages (1 MB, about 0.2 s), which nothing but a classifier at work needs. */
export async function loadLanguages(): Promise<LanguageOf> {
  const { eld: detector } = await import('eld/extrasmall')
  return (reading, hint) => detect(detector, reading, hint)
}

function detect(detector: typeof eld, { tokens, features }: Reading, hint: string | null): string | null {
  if (features.english && surelyEnglish(tokens)) return 'en'
  const words = plainWords(tokens)
  if (lettersIn(words) < LEAST_LETTERS) return null
  const found = detector.detect(words)
  if (found.language === '') return null
  return found.isReliable() || found.language === hint?.slice(0, 2).toLowerCase() ? found.language : null
}

/** Words that only English has, two or more and one word in five: by far the most frequent case needs no n-grams. */
function surelyEnglish(tokens: Tokens): boolean {
  let words = 0
  let english = 0
  for (let at = 0; at < tokens.count; at += 1) {
    if (tokens.kind[at] === KIND.unspaced) return false
    if (tokens.kind[at] !== KIND.word) continue
    words += 1
    if (ONLY_ENGLISH.has(tokens.hash[at]!)) english += 1
  }
  return english >= 2 && english * 5 >= words
}

/** The first words of the text with single spaces between them, about 140 characters. */
function plainWords(tokens: Tokens): string {
  let words = ''
  for (let at = 0; at < tokens.count && words.length < MOST_CHARACTERS; at += 1) {
    const kind = tokens.kind[at]
    if (kind === KIND.word || kind === KIND.unspaced) words += ` ${tokens.text.slice(tokens.start[at]!, Math.min(tokens.end[at]!, tokens.start[at]! + 70))}`
  }
  return words
}

/** Letters, where a character of a script without spaces counts three times because it says as much. */
function lettersIn(words: string): number {
  let letters = 0
  for (let at = 0; at < words.length; at += 1) {
    const code = words.charCodeAt(at)
    if (code !== 32) letters += code >= 0x2e80 ? 3 : 1
  }
  return letters
}

const LEAST_LETTERS = 10
const MOST_CHARACTERS = 140
const ONLY_ENGLISH = new Set(
  "the and this that with you are have from they what there which would it's don't i'm your been their because about just should could my of"
    .split(' ')
    .map(hashOfWord),
)
