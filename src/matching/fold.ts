/**
 * The plain form is NFKC without invisible characters, with quotes, dashes and white space unified; it keeps the case.
 * The folded form is the plain form with Unicode's full, locale-free case folding.
 *
 * INVISIBLE leaves out ZERO WIDTH SPACE, which separates words, and tag characters, which distinguish flags.
 */

const INVISIBLE = /(?![\u200b\u{e0020}-\u{e007f}])\p{Default_Ignorable_Code_Point}/u
const PREPARED = new RegExp(`[\\u00b4\\u2120\\u2122\\uffff\\ud800-\\udfff]|${INVISIBLE.source}`, 'gu')
const QUOTES = /[\u2018\u2019\u201a\u201b\u02bc]/g
const DOUBLE_QUOTES = /[\u201c\u201d\u201e\u201f]/g
/** All dashes and the minus sign, but not the wavy and double ones, which are decoration. */
const DASHES = /(?![\u301c\u3030\u30a0])[\p{Dash_Punctuation}\u2212]/gu
const SPACES = /(?!\ufeff)[\s\u0085\u200b]/g
/** Inserted between marks, it stops normalisation from sorting across; removed afterwards. */
export const JOINER = '\u034f'

/** The limit of Unicode's stream-safe format (UAX #15), which keeps normalisation linear. */
export const MARKS_IN_A_ROW = 30
/** Includes the two half-width letters that NFKC turns into marks. */
const MARK = /[\p{M}\uff9e\uff9f]/u

/**
 * NFKC would make a spaced acute accent a space with a mark, and a trademark sign two letters of the word before it.
 */
function prepared(character: string): string {
  if (character === '\u00b4') return "'"
  if (character === '\u2120' || character === '\u2122') return '\u00ae'
  return INVISIBLE.test(character) ? '' : '\ufffd'
}

/** NFKC in linear time; runs of marks may still hold the joiner. */
function composed(text: string): string {
  const visible = text.replace(PREPARED, prepared)
  return partedMarks(visible).normalize('NFKC')
}

function partedMarks(text: string): string {
  let run = 0
  let parted = ''
  for (const character of text) {
    run = MARK.test(character) ? run + 1 : 0
    if (run > MARKS_IN_A_ROW) {
      parted += JOINER
      run = 1
    }
    parted += character
  }
  return parted
}

/** The plain form before quotes, dashes and spaces are unified. */
export function composedForm(text: string): string {
  return withoutJoiners(composed(text))
}

export function withoutJoiners(text: string): string {
  return text.replaceAll(JOINER, '')
}

/** Compared when the case counts. */
export function plainForm(text: string): string {
  return isAscii(text) ? asciiSpaced(text) : withoutJoiners(punctuationFolded(composed(text)))
}

/** Compared when the case does not count. */
export function foldedForm(text: string): string {
  return isAscii(text) ? asciiSpaced(text).toLowerCase() : withoutJoiners(caseFolded(punctuationFolded(composed(text))))
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x7f) return false
  return true
}

function asciiSpaced(text: string): string {
  return text.replace(/[\t-\r]/g, ' ')
}

function punctuationFolded(text: string): string {
  return text.replace(QUOTES, "'").replace(DOUBLE_QUOTES, '"').replace(DASHES, '-').replace(SPACES, ' ')
}

/**
 * Full case folding of composed text, composed again. Upper then lower case agrees with Unicode's CaseFolding.txt
 * except for the capital sharp s, the final sigma, the dotless i and the iota subscript.
 */
export function caseFolded(composedText: string): string {
  const folded = KEPT.test(composedText)
    ? composedText.split(KEPT).map(partCaseFolded).join('')
    : partCaseFolded(composedText)
  return folded.normalize('NFKC')
}

const KEPT = /(\u0131|\u0345)/

function partCaseFolded(part: string): string {
  if (part === '\u0131' || part === '\u0345') return part
  return part.replaceAll('\u1e9e', '\u00df').toUpperCase().toLowerCase().replaceAll('\u03c2', '\u03c3')
}

export function spaced(text: string): string {
  return /^ | $| {2}/.test(text) ? text.replace(/ +/g, ' ').replace(/^ | $/g, '') : text
}

/** Terms with the same form are duplicates: `Open  AI` and `open ai`, but not `open-ai`. */
export function foldTerm(text: string): string {
  return spaced(foldedForm(text))
}
