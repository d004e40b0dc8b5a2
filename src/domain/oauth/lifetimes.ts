import { DAY_MS, HOUR_MS, SECOND_MS } from '../../kernel/clock.ts'

/** Interface specification, Authentication, rule 5. */
export const ACCESS_TOKEN_MS = HOUR_MS
/** Interface specification, Authentication, rule 5. */
export const REFRESH_TOKEN_MS = 30 * DAY_MS
/** RFC 6749, section 4.1.2, allows ten minutes; a waiting program needs seconds. */
export const CODE_MS = 60 * SECOND_MS
/** A used token may come again without ending its grant, unless the new one was used. */
export const REPEAT_MS = 30 * SECOND_MS
/** How long, and how many of a grant, used refresh tokens are recognised. */
export const USED_LIFETIME_MS = DAY_MS
export const USED_LIFETIME = 50
/** When a client without grants is deleted. */
export const CLIENT_UNUSED_MS = 90 * DAY_MS
/** When a client that never had a grant is deleted. */
export const CLIENT_NEVER_USED_MS = 2 * DAY_MS
