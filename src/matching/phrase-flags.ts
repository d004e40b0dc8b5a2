/**
 * Everything about a phrase that looking for it needs, packed into one number: length, place of the first token, flags.
 */
export type Packed = number
export const LENGTH = 0x7ff
export const ANCHOR_SHIFT = 11
export const ANCHOR = LENGTH << ANCHOR_SHIFT
/** The typed case counts: the characters are in plain form. */
export const CASED = 1 << 22
/** The first or last character is a letter or digit (or a mark on one): nothing of a word may stand beside it. */
export const STARTS_WORD = 1 << 23
export const ENDS_WORD = 1 << 24
/** A hyphen stands beside a space, so what may stand in the gap has to be matched in its own right. */
export const MIXED_GAP = 1 << 25
/** There is no token: the phrase is found by its characters. */
export const SYMBOLS = 1 << 26
/** A wildcard stands before the first or after the last character. */
export const OPEN_START = 1 << 27
export const OPEN_END = 1 << 28
/** Looks like a domain or an address: searched in links, too. */
export const ADDRESS = 1 << 29
