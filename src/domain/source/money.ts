/** The quota that counts money, in millionths of a dollar. */
export const MONEY = 'microUsd'
