/** A phrase in one number: length, place of the first token, flags. */
export type Packed = number
export const LENGTH = 0x7ff
export const ANCHOR_SHIFT = 11
export const ANCHOR = LENGTH << ANCHOR_SHIFT
/** The case counts: the characters are in plain form. */
export const CASED = 1 << 22
/** The first (or last) character is a letter or digit, or a mark on one, so it must stand at a word boundary. */
export const STARTS_WORD = 1 << 23
export const ENDS_WORD = 1 << 24
/** A hyphen stands beside a space, so the gap itself has to be matched. */
export const MIXED_GAP = 1 << 25
/** The phrase has no token and is found by its characters. */
export const SYMBOLS = 1 << 26
/** A wildcard stands at the start (or end). */
export const OPEN_START = 1 << 27
export const OPEN_END = 1 << 28
/** Looks like a domain or an address: links are searched too. */
export const ADDRESS = 1 << 29
