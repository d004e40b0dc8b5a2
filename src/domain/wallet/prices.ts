import { centsToUnits, type Units } from '../../kernel/money.ts'

/** 500/30 cents. */
export const KEYWORD_DAY = 500 as Units
/** 0.8 cents. */
export const MENTION = 24 as Units
/** 5.80 dollars. */
export const WELCOME_CREDIT = centsToUnits(580)
