import type { RoomReason } from '../../../domain/channel/room.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../kernel/clock.ts'
import { MAIL_LIMIT_MS } from '../../../kernel/mail.ts'

/**
 * Mentions that a channel mails within any hour, each to all of its recipients. The others are held, and go as there is
 * room again or with its next daily digest.
 */
export const MENTIONS_PER_HOUR = 20
/**
 * Mails that one address gets of one workspace within any hour, through all channels together, before further mentions
 * are held.
 */
export const MAILS_OF_ADDRESS_PER_HOUR = 60
/** Tests that a channel mails within any hour. */
export const TESTS_PER_HOUR = 5
/** What a delivery that is held by that limit, and a test that is not sent, give as their reason. */
export const MENTION_LIMIT_REASON = 'email_hourly_limit' satisfies RoomReason
export const TEST_LIMIT_REASON = 'email_test_rate_limited'

/** How long a link to confirm can be used. */
export const CONFIRMATION_MS = 7 * DAY_MS
/**
 * Requests to confirm that one mailbox gets within how long, from all workspaces together: who is named did not ask for
 * it.
 */
export const CONFIRMATION_MAILS = { most: 3, withinMs: DAY_MS } as const
/** The same for all strangers that one workspace names. */
export const CONFIRMATIONS_OF_WORKSPACE = 100

/** Longer than sending a mail takes at most, so that nobody sends it a second time while it is on its way. */
export const MAIL_LEASE_MS = MAIL_LIMIT_MS + MINUTE_MS
/**
 * Mails that a process has in hand at most: more would have to wait for connections longer than an attempt waits for
 * its mails.
 */
export const MAILS_IN_HAND = 60
/** As many as a channel may have recipients. */
export const MAILS_OF_DELIVERY = 20
/** So long a delivery waits for room among them, and then for another try. */
export const ROOM_WAIT_MS = 3 * SECOND_MS
export const ROOM_LATER_MS = 5 * SECOND_MS

/** When the process ends, what became of the last mails is written down within so long. */
export const NOTES_WITHIN_MS = 2 * SECOND_MS

/** How soon it is looked again whether mails that are on their way have arrived. */
export const LOOK_AGAIN_MS = 30 * SECOND_MS

/** How long after it came about a delivery can be retried: who has it is known, and nobody gets it twice. */
export const SAFE_RETRY_MS = DAY_MS
/** How long that is kept, with room for a retry at the last moment and its attempts. */
export const RECEIPTS_KEPT_MS = SAFE_RETRY_MS + 12 * HOUR_MS
