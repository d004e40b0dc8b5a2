/**
 * The forms in which texts are compared.
 *
 * The plain form is NFKC with curly quotes, dashes and white space folded and invisible characters removed; it keeps
 * the case. The folded form is the plain form with Unicode's full, locale-free case folding.
 */

/**
 * Zero-width characters that change nothing a reader sees. ZERO WIDTH SPACE parts words and tag characters tell flags
 * apart, so both stay.
 */
const INVISIBLE = /(?![\u200b\u{e0020}-\u{e007f}])\p{Default_Ignorable_Code_Point}/u
const PREPARED = new RegExp(`[\\u00b4\\u2120\\u2122\\uffff\\ud800-\\udfff]|${INVISIBLE.source}`, 'gu')
const QUOTES = /[\u2018\u2019\u201a\u201b\u02bc]/g
const DOUBLE_QUOTES = /[\u201c\u201d\u201e\u201f]/g
/** All dash punctuation but the wavy and the double ones, which people use as decoration, and the minus sign. */
const DASHES = /(?![\u301c\u3030\u30a0])[\p{Dash_Punctuation}\u2212]/gu
const SPACES = /(?!\ufeff)[\s\u0085\u200b]/g
/** Put between marks, it keeps normalisation from sorting across; invisible, and taken out again afterwards. */
export const JOINER = '\u034f'

/** As many marks as Unicode's stream-safe format lets follow each other (UAX #15), which keeps normalisation linear. */
export const MARKS_IN_A_ROW = 30
/** The marks; with them the two half-width letters that normalisation makes marks of. */
const MARK = /[\p{M}\uff9e\uff9f]/u

/**
 * What is changed before normalisation. NFKC makes a spaced acute accent a space with a mark, and a trademark sign two
 * letters of the word before it; people mean an apostrophe and a sign after the name.
 */
function prepared(character: string): string {
  if (character === '\u00b4') return "'"
  if (character === '\u2120' || character === '\u2122') return '\u00ae'
  return INVISIBLE.test(character) ? '' : '\ufffd'
}

/** NFKC without invisible characters, made in linear time; runs of marks may still hold the joiner that parts them. */
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

/** NFKC of the visible characters: the plain form before quotes, dashes and spaces are folded. */
export function composedForm(text: string): string {
  return withoutJoiners(composed(text))
}

export function withoutJoiners(text: string): string {
  return text.replaceAll(JOINER, '')
}

/** The plain form of a text: compared when the case counts. */
export function plainForm(text: string): string {
  return isAscii(text) ? asciiSpaced(text) : withoutJoiners(punctuationFolded(composed(text)))
}

/** The folded form of a text: compared when the case does not count. */
export function foldedForm(text: string): string {
  return isAscii(text) ? asciiSpaced(text).toLowerCase() : withoutJoiners(caseFolded(punctuationFolded(composed(text))))
}

/** Most terms are ASCII, of which only capitals and white space fold. */
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
 * Full case folding of composed text, composed again. Without tables: upper and lower agrees with Unicode's
 * CaseFolding.txt but for the capital sharp s, which has no other upper case, the final sigma, which depends on its
 * place, the dotless i, which folds to nothing but itself, and the iota below, which must stay a mark.
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

/** White space at the ends removed, inside made single spaces. */
export function spaced(text: string): string {
  return /^ | $| {2}/.test(text) ? text.replace(/ +/g, ' ').replace(/^ | $/g, '') : text
}

/**
 * The form by which two terms are the same term: folded, with single spaces. `Open  AI` and `open ai` are duplicates,
 * `open-ai` is another term.
 */
export function foldTerm(text: string): string {
  return spaced(foldedForm(text))
}
