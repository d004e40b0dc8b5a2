/** Bits above the 16 bits of a UTF-16 unit. */

/** In scripts with spaces between words. */
export const WORD = 1 << 16
/** Part of a word, but not of a token. */
export const JOIN = 1 << 17
/** Part of a word, and a token of its own. */
export const HANGUL = 1 << 18
/** Of a script without spaces: a token of its own. */
export const SOLO = 1 << 19
export const PICTURE = 1 << 20
/** Allowed between the words of a phrase. */
export const GAP = 1 << 21
export const MARK = 1 << 22
export const SURROGATE = 1 << 23
/** Invisible: removed first. */
export const DROPPED = 1 << 24
/** To be normalised first. */
export const UNNORMALISED = 1 << 25
/** To be normalised with the character before it. */
export const CONTINUES = 1 << 26
export const UNKNOWN = 1 << 27
/** Not WORD, so that the fast scan stops at it. */
export const ODD_WORD = 1 << 28

export const ODD = MARK | SURROGATE | DROPPED | UNNORMALISED | ODD_WORD
export const SPECIAL = ODD | HANGUL | SOLO | PICTURE | UNKNOWN
/** Must not touch the bounded edge of a term. */
export const WORD_PART = WORD | ODD_WORD | JOIN | HANGUL
export const LETTER = WORD | ODD_WORD
export const SINGLE = HANGUL | SOLO | PICTURE
