/** ZERO WIDTH SPACE separates words and tag characters distinguish flags, so both stay. */

const INVISIBLE = /(?![\u200b\u{e0020}-\u{e007f}])\p{Default_Ignorable_Code_Point}/u
const PREPARED = new RegExp(`[\\u00b4\\u2120\\u2122\\uffff\\ud800-\\udfff]|${INVISIBLE.source}`, 'gu')
const QUOTES = /[\u2018\u2019\u201a\u201b\u02bc]/g
const DOUBLE_QUOTES = /[\u201c\u201d\u201e\u201f]/g
/** Not the wavy and double dashes, which are decoration. */
const DASHES = /(?![\u301c\u3030\u30a0])[\p{Dash_Punctuation}\u2212]/gu
const SPACES = /(?!\ufeff)[\s\u0085\u200b]/g
/** Inserted between marks, it stops normalisation from sorting across. */
export const JOINER = '\u034f'

/** The limit of the stream-safe format (UAX #15), which keeps normalisation linear. */
export const MARKS_IN_A_ROW = 30
/** Includes two half-width letters that NFKC turns into marks. */
const MARK = /[\p{M}\uff9e\uff9f]/u

/** NFKC would make a spaced acute a space with a mark, and a trademark sign two letters. */
function prepared(character: string): string {
  if (character === '\u00b4') return "'"
  if (character === '\u2120' || character === '\u2122') return '\u00ae'
  return INVISIBLE.test(character) ? '' : '\ufffd'
}

/** In linear time; marks may still hold the joiner. */
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

export function composedForm(text: string): string {
  return withoutJoiners(composed(text))
}

export function withoutJoiners(text: string): string {
  return text.replaceAll(JOINER, '')
}

/** NFKC without invisible characters, with quotes, dashes and spaces unified and the case kept. */
export function plainForm(text: string): string {
  return isAscii(text) ? asciiSpaced(text) : withoutJoiners(punctuationFolded(composed(text)))
}

/** The plain form with Unicode's full, locale-free case folding. */
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
 * Upper then lower case agrees with CaseFolding.txt except for capital sharp s, final sigma, dotless i and iota
 * subscript.
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

/** Equal for duplicates: `Open  AI` and `open ai`, but not `open-ai`. */
export function foldTerm(text: string): string {
  return spaced(foldedForm(text))
}
