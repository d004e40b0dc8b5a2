import type { RoomReason } from '../../../domain/channel/room.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../kernel/clock.ts'
import { MAIL_LIMIT_MS } from '../../../kernel/mail.ts'

/** For one channel, each to all its recipients. Others are held until there is room, or until the next daily digest. */
export const MENTIONS_PER_HOUR = 20
/** For one address and workspace, over all channels; further mentions are held. */
export const MAILS_OF_ADDRESS_PER_HOUR = 60
/** For one channel. */
export const TESTS_PER_HOUR = 5
/** Reasons of held deliveries and refused tests. */
export const MENTION_LIMIT_REASON = 'email_hourly_limit' satisfies RoomReason
export const TEST_LIMIT_REASON = 'email_test_rate_limited'

/** How long a confirmation link is valid. */
export const CONFIRMATION_MS = 7 * DAY_MS
/** For one mailbox, over all workspaces: recipients have not asked for these mails. */
export const CONFIRMATION_MAILS = { most: 3, withinMs: DAY_MS } as const
/** For one workspace within the same time. */
export const CONFIRMATIONS_OF_WORKSPACE = 100

/** Longer than the slowest attempt, so that no mail is sent twice at once. */
export const MAIL_LEASE_MS = MAIL_LIMIT_MS + MINUTE_MS
/** For one process: more would wait for connections longer than an attempt lasts. */
export const MAILS_IN_HAND = 60
/** The most recipients of a channel. */
export const MAILS_OF_DELIVERY = 20
/** How long a delivery waits for the semaphore, and then for its next attempt. */
export const ROOM_WAIT_MS = 3 * SECOND_MS
export const ROOM_LATER_MS = 5 * SECOND_MS

/** At shutdown, for the last outcomes to be stored. */
export const NOTES_WITHIN_MS = 2 * SECOND_MS

/** When mails in flight are checked again. */
export const ROOM_RECHECK_MS = 30 * SECOND_MS

/** Retries within this time skip recipients that have the mail. */
export const SAFE_RETRY_MS = DAY_MS
/** With time for the attempts of a last-minute retry. */
export const RECEIPT_LIFETIME_MS = SAFE_RETRY_MS + 12 * HOUR_MS
