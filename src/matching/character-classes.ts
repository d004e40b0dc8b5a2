/** The classes of characters, one bit each above the 16 bits of a unit. */

/** A letter or digit of a script with spaces between words. */
export const WORD = 1 << 16
/** The underscore: part of a word, but no part of a token. */
export const JOIN = 1 << 17
/** A Hangul letter or syllable: part of a word, and a token of its own. */
export const HANGUL = 1 << 18
/**
 * A letter, digit or mark of a script without spaces: a token of its own, unless it is a mark on a letter of another
 * script.
 */
export const SOLO = 1 << 19
/** A pictograph: a token of its own, no part of a word. */
export const PICTURE = 1 << 20
/** White space or a hyphen: what may stand between the words of a phrase. */
export const GAP = 1 << 21
/** A combining mark: belongs to the character before it. */
export const MARK = 1 << 22
/** Half of a character beyond the first 65,536. */
export const SURROGATE = 1 << 23
/** Invisible: to be removed before anything is compared. */
export const DROPPED = 1 << 24
/** Has another form than one unit, or may have: cannot be compared before the text is normalised. */
export const UNNORMALISED = 1 << 25
/** Invisible, or may change the character before it: those two are normalised together. */
export const CONTINUES = 1 << 26
/** The block of this unit is not filled yet. */
export const UNKNOWN = 1 << 27
/** A letter that is UNNORMALISED; not WORD, so that the lean scan stops at it. */
export const ODD_WORD = 1 << 28

/** What is not read unit by unit. */
export const ODD = MARK | SURROGATE | DROPPED | UNNORMALISED | ODD_WORD
/** Everything the lean scan has to look at twice. */
export const SPECIAL = ODD | HANGUL | SOLO | PICTURE | UNKNOWN
/** What a bounded edge of a term must not touch. */
export const WORD_PART = WORD | ODD_WORD | JOIN | HANGUL
/** Letters and digits that make one token together. */
export const LETTER = WORD | ODD_WORD
/** Characters that are tokens of their own. */
export const SINGLE = HANGUL | SOLO | PICTURE
