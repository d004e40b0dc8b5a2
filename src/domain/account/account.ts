import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/clock.ts'

/** How long somebody stays signed in after they were last seen. */
export const SESSION_MS = 30 * DAY_MS
/** How long a link in an e-mail can be used, by what it is for. */
export const LINK_MS = { sign_up: DAY_MS, sign_in: 15 * MINUTE_MS, reset: HOUR_MS } as const
export type LinkPurpose = keyof typeof LINK_MS
