import { DAY_MS } from '../../kernel/clock.ts'

/** From the request to the removal; until then an owner can call it back. */
export const DELETION_GRACE_MS = 7 * DAY_MS
