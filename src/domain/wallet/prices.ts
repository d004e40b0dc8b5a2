import { centsToUnits, type Units } from '../../kernel/money.ts'

/** One charged day of one keyword: 500/30 cents. */
export const KEYWORD_DAY = 500 as Units
/** One scored mention: 0.8 cents. */
export const MENTION = 24 as Units
/** The credit that a new workspace starts with: 5.80 dollars. */
export const WELCOME_CREDIT = centsToUnits(580)
