/** A beginning of a word is asked for with at least so many characters before the asterisk. */
export const BEGINNING_MIN = 3

const ASTERISK = /[*＊]/
const LETTER = /[\p{L}\p{N}\p{M}]/u
/** Scripts of which every character is found by itself, so that a beginning of one character is as good as a word. */
const UNSPACED_SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Bopomofo', 'Thai', 'Lao', 'Khmer', 'Myanmar']
const UNSPACED = new RegExp(`[${UNSPACED_SCRIPTS.map((script) => `\\p{Script=${script}}`).join('')}]`, 'u')

/**
 * Why a text is no question for words, or null: an asterisk asks for words that begin with what stands before it, so it
 * stands at the end of one. Asterisks between spaces or punctuation are punctuation.
 */
export function problemOfWords(question: string): string | null {
  const characters = [...question]
  let length = 0
  let last = ''
  for (const [at, character] of characters.entries()) {
    if (!ASTERISK.test(character)) {
      length = LETTER.test(character) ? length + 1 : 0
      last = character
      continue
    }
    if (LETTER.test(characters[at + 1] ?? '')) return 'an asterisk can only stand at the end of a word, as in goog*'
    if (length > 0 && length < BEGINNING_MIN && !UNSPACED.test(last))
      return `must hold at least ${BEGINNING_MIN} characters of a word before an asterisk`
    length = 0
  }
  return null
}
