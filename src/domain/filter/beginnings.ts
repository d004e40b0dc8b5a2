export const BEGINNING_MIN = 3

const ASTERISK = /[*＊]/
const LETTER = /[\p{L}\p{N}\p{M}]/u
/** Every character is indexed by itself, so a prefix may have one. */
const UNSPACED_SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Bopomofo', 'Thai', 'Lao', 'Khmer', 'Myanmar']
const UNSPACED = new RegExp(`[${UNSPACED_SCRIPTS.map((script) => `\\p{Script=${script}}`).join('')}]`, 'u')

/** Null for a valid text. An asterisk after a word makes it a prefix; other asterisks are ignored. */
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
