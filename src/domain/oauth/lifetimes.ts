import { DAY_MS, HOUR_MS, SECOND_MS } from '../../kernel/clock.ts'

/** How long an access token can be used (interface specification, Authentication, rule 5). */
export const ACCESS_TOKEN_MS = HOUR_MS
/** How long a refresh token can be exchanged, from when it was issued (the same rule). */
export const REFRESH_TOKEN_MS = 30 * DAY_MS
/**
 * How long a code can be exchanged. RFC 6749, section 4.1.2, allows ten minutes; a program that waits for it needs
 * seconds.
 */
export const CODE_MS = 60 * SECOND_MS
/**
 * Within this a refresh token that was exchanged may come again without ending its grant, if nobody has gone on with
 * the new one.
 */
export const REPEAT_MS = 30 * SECOND_MS
/** Used refresh tokens are known again for this long, and so many of a grant for as long as they could have lived. */
export const USED_KEPT_MS = DAY_MS
export const USED_KEPT = 50
/** After this a client that nobody allows anything any more is forgotten, and would have to register again. */
export const CLIENT_UNUSED_MS = 90 * DAY_MS
/** The same for one that registered and that nobody has ever allowed anything. */
export const CLIENT_NEVER_USED_MS = 2 * DAY_MS
