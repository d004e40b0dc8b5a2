/** The quota of a platform in which money is counted: millionths of a dollar. */
export const MONEY = 'microUsd'
