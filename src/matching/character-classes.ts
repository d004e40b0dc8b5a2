/** The classes of characters: bits above the 16 bits of a UTF-16 unit. */

/** A letter or digit of a script with spaces between words. */
export const WORD = 1 << 16
/** The underscore: part of a word, but not of a token. */
export const JOIN = 1 << 17
/** Part of a word, and a token of its own. */
export const HANGUL = 1 << 18
/** A character of a script without spaces: a token of its own, unless it is a mark on a letter of another script. */
export const SOLO = 1 << 19
export const PICTURE = 1 << 20
/** White space or a hyphen: what may stand between the words of a phrase. */
export const GAP = 1 << 21
export const MARK = 1 << 22
export const SURROGATE = 1 << 23
/** Invisible: removed before texts are compared. */
export const DROPPED = 1 << 24
/** May have a form of more than one unit: the text has to be normalised first. */
export const UNNORMALISED = 1 << 25
/** Invisible, or may change the character before it: both are normalised together. */
export const CONTINUES = 1 << 26
/** The table block of this unit is not filled yet. */
export const UNKNOWN = 1 << 27
/** An UNNORMALISED letter; not WORD, so that the fast scan stops at it. */
export const ODD_WORD = 1 << 28

export const ODD = MARK | SURROGATE | DROPPED | UNNORMALISED | ODD_WORD
export const SPECIAL = ODD | HANGUL | SOLO | PICTURE | UNKNOWN
/** What the bounded edge of a term must not touch. */
export const WORD_PART = WORD | ODD_WORD | JOIN | HANGUL
export const LETTER = WORD | ODD_WORD
export const SINGLE = HANGUL | SOLO | PICTURE
