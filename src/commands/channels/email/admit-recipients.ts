import { foldEmail } from '../../../domain/account/account.ts'
import { mailboxOf } from '../../../domain/member/invitation.ts'
import { type Refusal, refuse } from '../../../domain/refusal/refusal.ts'
import { plus, SECOND_MS } from '../../../kernel/clock.ts'
import { newUuid, type Uuid } from '../../../kernel/ids.ts'
import {
  holdConfirmations,
  memberAddresses,
  noteConfirmation,
  optedOut,
  type Recipient,
  workspaceNameOf,
} from '../../../store/channel/email-channels.ts'
import { suppressedAmong } from '../../../store/channel/suppressions.ts'
import type { Transaction } from '../../../store/database.ts'
import { queueMail } from '../../mail/queue-mail.ts'
import { confirmationText } from '../../mail/texts.ts'
import type { WritingContext } from '../../writing.ts'
import { CONFIRMATION_MAILS, CONFIRMATION_MS, CONFIRMATIONS_OF_WORKSPACE } from './limits.ts'
import { confirmLink } from './links.ts'

export interface AdmittedRecipients {
  recipients: Recipient[]
  /** In their original spelling. */
  toAsk: string[]
}

export type AdmissionRefusal = Refusal<'recipient_suppressed'> | Refusal<'confirmation_rate_limited'>

/**
 * Decides who may receive mail, without writing. Members with a confirmed address are confirmed at once, unless they
 * unsubscribed in this workspace; all others are asked.
 */
export async function admitRecipients(
  tx: Transaction,
  { clock, workspaceId }: WritingContext,
  recipients: readonly Recipient[],
  known: readonly Recipient[] = [],
): Promise<AdmittedRecipients | AdmissionRefusal> {
  const before = new Set(known.map(folded))
  const added = recipients.filter((recipient) => !before.has(folded(recipient)))
  const emails = added.map(folded)
  if (emails.length === 0) return { recipients: [...recipients], toAsk: [] }
  const suppressed = await suppressedAmong(tx, emails)
  if (suppressed.size > 0)
    return suppressedRefusal(added.filter((recipient) => suppressed.has(folded(recipient))).map(({ email }) => email))
  const members = await memberAddresses(tx, workspaceId, emails)
  for (const email of await optedOut(tx, workspaceId, emails)) members.delete(email)
  const toAsk = added.filter((recipient) => !members.has(folded(recipient))).map(({ email }) => email)
  const refusal = await askingObjection(tx, workspaceId, toAsk, clock.now())
  if (refusal !== null) return refusal
  const now = clock.now().toISOString()
  const isMember = new Set(added.filter((recipient) => members.has(folded(recipient))))
  return {
    recipients: recipients.map((recipient) =>
      isMember.has(recipient) ? { ...recipient, confirmedAt: now } : recipient,
    ),
    toAsk,
  }
}

/** The addresses were admitted in the same transaction. */
export async function askRecipients(
  tx: Transaction,
  writing: WritingContext,
  channelId: Uuid,
  emails: readonly string[],
): Promise<void> {
  const { clock, workspaceId } = writing
  if (emails.length === 0) return
  const now = clock.now()
  const workspaceName = (await workspaceNameOf(tx, workspaceId)) ?? ''
  for (const email of emails) {
    const subscription = { workspaceId, channelId, email: foldEmail(email)! }
    await noteConfirmation(tx, {
      workspaceId,
      id: newUuid(now),
      mailbox: mailboxOf(subscription.email),
      expiresAt: plus(now, CONFIRMATION_MAILS.withinMs),
    })
    const text = confirmationText({
      workspaceName,
      url: confirmLink(writing, subscription, now),
      withinMs: CONFIRMATION_MS,
    })
    await queueMail(tx, writing, { to: email, ...text, asksForChannel: true, expiresAt: plus(now, CONFIRMATION_MS) })
  }
}

/** Refuses when an address or the workspace has reached its limit. The counts are locked until the transaction ends. */
export async function askingObjection(
  tx: Transaction,
  workspaceId: Uuid,
  emails: readonly string[],
  at: Date,
): Promise<AdmissionRefusal | null> {
  if (emails.length === 0) return null
  const mailboxes = emails.map((email) => mailboxOf(foldEmail(email)!))
  const { ofWorkspace, ofMailbox } = await holdConfirmations(tx, workspaceId, mailboxes, at)
  if (ofWorkspace + emails.length > CONFIRMATIONS_OF_WORKSPACE)
    return refuse(
      'confirmation_rate_limited',
      `The workspace may ask ${CONFIRMATIONS_OF_WORKSPACE} addresses to confirm within a day.`,
      {
        retryAfterSeconds: CONFIRMATION_MAILS.withinMs / SECOND_MS,
      },
    )
  for (const [place, mailbox] of mailboxes.entries()) {
    const sent = ofMailbox.get(mailbox) ?? { mails: 0, until: plus(at, CONFIRMATION_MAILS.withinMs) }
    ofMailbox.set(mailbox, { ...sent, mails: sent.mails + 1 })
    if (sent.mails < CONFIRMATION_MAILS.most) continue
    const times = `${CONFIRMATION_MAILS.most} times within a day`
    const message = `${emails[place]} was asked to confirm ${times}, which is the limit.`
    return refuse('confirmation_rate_limited', message, {
      retryAfterSeconds: Math.ceil((sent.until.getTime() - at.getTime()) / SECOND_MS),
    })
  }
  return null
}

export function suppressedRefusal(emails: readonly string[]): Refusal<'recipient_suppressed'> {
  return refuse(
    'recipient_suppressed',
    `Mail to ${emails.join(', ')} bounced or was reported as spam. It receives no more mail.`,
  )
}

function folded({ email }: Recipient): string {
  return foldEmail(email)!
}
