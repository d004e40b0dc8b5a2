/** Length, place of the first token, flags. */
export type Packed = number
export const LENGTH = 0x7ff
export const ANCHOR_SHIFT = 11
export const ANCHOR = LENGTH << ANCHOR_SHIFT
export const CASED = 1 << 22
/** A letter or digit: needs a word boundary. */
export const STARTS_WORD = 1 << 23
export const ENDS_WORD = 1 << 24
/** A hyphen beside a space: the gap is compared too. */
export const MIXED_GAP = 1 << 25
/** Without a token: found by its characters. */
export const SYMBOLS = 1 << 26
/** A wildcard. */
export const OPEN_START = 1 << 27
export const OPEN_END = 1 << 28
/** Links are searched too. */
export const ADDRESS = 1 << 29
