import { foldEmail } from '../../../domain/account/account.ts'
import { plus, SECOND_MS } from '../../../kernel/clock.ts'
import { toId, type Uuid } from '../../../kernel/ids.ts'
import type { MailOutcome } from '../../../kernel/mail.ts'
import {
  type CountedMail,
  countMail,
  holdRecipients,
  holdsOlder,
  isAnyFlooded,
  isReplay,
  leaseMails,
  type MailLease,
  noteReceipt,
  type Recipient,
  readReceipts,
  releaseMail,
} from '../../../store/channel/email-channels.ts'
import { suppress, suppressedAmong } from '../../../store/channel/suppressions.ts'
import type { Transaction } from '../../../store/database.ts'
import type { AroundSending, Before, Sending } from '../../around-sending.ts'
import { plainName } from '../../mail/texts.ts'
import type { Services } from '../../writing.ts'
import {
  MAIL_LEASE_MS,
  MAILS_IN_HAND,
  MAILS_OF_ADDRESS_PER_HOUR,
  MAILS_OF_DELIVERY,
  MENTION_LIMIT_REASON,
  MENTIONS_PER_HOUR,
  NOTES_WITHIN_MS,
  ROOM_LATER_MS,
  ROOM_RECHECK_MS,
  ROOM_WAIT_MS,
  TEST_LIMIT_REASON,
  TESTS_PER_HOUR,
} from './limits.ts'
import { unsubscribeLink } from './links.ts'
import { createRoom } from './room.ts'

export type AroundEmailOptions = Pick<Services, 'db' | 'clock' | 'sealer' | 'publicUrl' | 'log'>

/**
 * Before each attempt, selects recipients that have confirmed, are not suppressed and lack this delivery. Each mail is
 * leased before sending and its outcome stored at once, so that concurrent or repeated attempts write to nobody twice.
 */
export function createAroundEmail(options: AroundEmailOptions): AroundSending {
  const { db, clock } = options
  const room = createRoom({ clock, most: MAILS_IN_HAND, each: MAILS_OF_DELIVERY, keptMs: MAIL_LEASE_MS })
  const notes = new Set<Promise<void>>()
  const cut = new AbortController()
  return {
    async before(sending) {
      // Waits without holding locks, and before the mail server's time limit starts.
      const share = await room.take(ROOM_WAIT_MS)
      const at = clock.now()
      if (share === null) return { kind: 'defer', until: plus(at, ROOM_LATER_MS), reason: 'other mails go first' }
      const lease: MailLease = {
        workspaceId: sending.workspaceId,
        deliveryId: sending.deliveryId,
        leasedUntil: plus(at, MAIL_LEASE_MS),
      }
      const noted: Noted = async (email, outcome) => {
        const noting = note(options, lease, email, outcome, cut.signal)
        notes.add(noting)
        await noting.finally(() => notes.delete(noting))
        room.give(share, 1)
      }
      let mails = 0
      try {
        const decided = await db.transaction((tx) => beforeSending(tx, options, sending, { lease, at, noted }))
        if (decided.kind === 'go') mails = decided.settings.addressees.length
        return decided
      } finally {
        room.give(share, share.mails - mails)
      }
    },
    async close() {
      cut.abort()
      const over = new AbortController()
      const ended = Promise.all(notes).then(() => over.abort())
      await Promise.race([ended, clock.wait(NOTES_WITHIN_MS, over.signal)])
    },
  }
}

type Noted = (email: string, outcome: MailOutcome) => Promise<void>
type Decided =
  | Exclude<Before, { kind: 'go' }>
  | { kind: 'go'; settings: Record<string, unknown> & { addressees: readonly unknown[] } }

async function beforeSending(
  tx: Transaction,
  options: AroundEmailOptions,
  sending: Sending,
  { lease, at, noted }: { lease: MailLease; at: Date; noted: Noted },
): Promise<Decided> {
  const { workspaceId, channelId, deliveryId } = sending
  const channel = await holdRecipients(tx, workspaceId, channelId)
  if (channel === null) return { kind: 'cancel', reason: 'the channel was removed' }
  const { enabled, recipients, workspaceName } = channel
  if (!enabled) return { kind: 'cancel', reason: 'the channel is disabled' }
  const confirmed = recipients.filter(({ confirmedAt }) => confirmedAt !== null)
  const suppressed = await suppressedAmong(tx, confirmed.map(folded))
  const reachable = confirmed.filter((recipient) => !suppressed.has(folded(recipient)))
  const receipts = await readReceipts(tx, workspaceId, deliveryId)
  const [accepted, refused] = [
    receipts.filter(({ state }) => state === 'accepted'),
    receipts.filter(({ state }) => state === 'refused'),
  ]
  const underway = receipts.filter(
    ({ state, leasedUntil }) => state === 'sending' && leasedUntil !== null && leasedUntil > at,
  )
  const settled = new Set([...accepted, ...refused, ...underway].map(({ email }) => email))
  const left = reachable.filter((recipient) => !settled.has(folded(recipient)))
  if (left.length === 0) {
    if (underway.length > 0)
      return { kind: 'defer', until: soonest(underway, at), reason: 'the mail server has not answered yet' }
    if (accepted.length + refused.length === 0)
      return { kind: 'permanent_failure', reason: whyNobody(confirmed), responseStatus: null }
  } else {
    const limit = LIMITS[sending.kind] ?? ((await isReplay(tx, workspaceId, deliveryId)) ? LIMITS.mention : null)
    if (
      limit !== null &&
      !(await isAdmitted(
        tx,
        { workspaceId, channelId, deliveryId, kind: limit.kind },
        limit.most,
        left.map(folded),
        at,
      ))
    )
      return { kind: 'hold', reason: limit.reason }
    await leaseMails(tx, lease, left.map(folded), at)
  }
  return {
    kind: 'go',
    settings: {
      addressees: left.map((recipient) => ({
        email: recipient.email,
        unsubscribeUrl: unsubscribeLink(options, { workspaceId, channelId, email: folded(recipient) }),
      })),
      tally: { accepted: accepted.length, refused: refused.length, underway: underway.length },
      workspace: plainName(workspaceName, 'a workspace'),
      listId: listIdOf(channelId, options.publicUrl),
      note: (email: string, outcome: MailOutcome) => noted(foldEmail(email)!, outcome),
    },
  }
}

/** Held mails go first, then the limit of each address applies, then that of the channel. */
async function isAdmitted(
  tx: Transaction,
  mail: CountedMail,
  most: number,
  emails: readonly string[],
  at: Date,
): Promise<boolean> {
  if (mail.kind === 'mention') {
    if (await holdsOlder(tx, mail)) return false
    if (await isAnyFlooded(tx, mail.workspaceId, emails, MAILS_OF_ADDRESS_PER_HOUR, at)) return false
  }
  return await countMail(tx, mail, most, at)
}

/** Digests and events are rare; only their replays count as mentions do. */
const LIMITS = {
  mention: { kind: 'mention', most: MENTIONS_PER_HOUR, reason: MENTION_LIMIT_REASON },
  test: { kind: 'test', most: TESTS_PER_HOUR, reason: TEST_LIMIT_REASON },
  digest: null,
  event: null,
} as const satisfies Record<Sending['kind'], { kind: 'mention' | 'test'; most: number; reason: string } | null>

function whyNobody(confirmed: readonly Recipient[]): string {
  return confirmed.length === 0
    ? 'no recipient of the channel has confirmed'
    : 'mail to every recipient bounced or was reported as spam'
}

function soonest(underway: readonly { leasedUntil: Date | null }[], at: Date): Date {
  const ends = underway.map(({ leasedUntil }) => leasedUntil!.getTime())
  return new Date(Math.min(...ends, plus(at, ROOM_RECHECK_MS).getTime()))
}

const NOTE_AGAIN_MS = SECOND_MS

/**
 * Retries while the lease lasts, so that a short database outage does not send the mail twice. After `cut` is aborted,
 * it is not retried.
 */
async function note(
  { db, clock, log }: AroundEmailOptions,
  lease: MailLease,
  email: string,
  outcome: MailOutcome,
  cut: AbortSignal,
): Promise<void> {
  const deliveryId = toId('dlv', lease.deliveryId)
  for (let tries = 1; ; tries += 1) {
    try {
      await db.transaction((tx) => noteOutcome(tx, lease, email, outcome, clock.now()))
      return
    } catch (error) {
      const line = { err: error, deliveryId, outcome: outcome.outcome }
      if (cut.aborted || plus(clock.now(), NOTE_AGAIN_MS) >= lease.leasedUntil)
        return log.error(
          { event: 'email.result_lost', ...line },
          'The result of a mail could not be recorded; it may be sent again',
        )
      if (tries === 1)
        log.warn(
          { event: 'email.result_not_recorded', ...line },
          'The result of a mail could not be recorded; retrying',
        )
      await clock.wait(NOTE_AGAIN_MS, cut)
    }
  }
}

async function noteOutcome(
  tx: Transaction,
  lease: MailLease,
  email: string,
  outcome: MailOutcome,
  at: Date,
): Promise<void> {
  if (outcome.outcome === 'sent') return noteReceipt(tx, lease, email, 'accepted')
  if (outcome.outcome !== 'permanent') return releaseMail(tx, lease, email)
  await noteReceipt(tx, lease, email, 'refused')
  if (outcome.isGone) await suppress(tx, [email], 'bounce', at)
}

function folded({ email }: Recipient): string {
  return foldEmail(email)!
}

/** The list id of RFC 2919. */
function listIdOf(channelId: Uuid, publicUrl: string): string {
  const host = new URL(publicUrl).hostname.replace(/^\[|\]$/g, '')
  return `${toId('dest', channelId).replace('_', '-')}.${host}`
}
