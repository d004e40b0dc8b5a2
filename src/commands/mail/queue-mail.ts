import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { announceWork } from '../../store/announcements.ts'
import { sql, type Transaction } from '../../store/database.ts'
import type { Services } from '../writing.ts'

/** A mail about an account: plain text for one person. */
export interface QueuedMail {
  to: string
  /** One line. */
  subject: string
  text: string
  /**
   * It asks whether channels may write to somebody: where there is no such mailbox none does. Left out of all others.
   */
  asksForChannel?: true
}

/**
 * Leaves a mail to be sent as soon as the transaction commits, and again until it is taken or `expiresAt` is reached,
 * after which nobody would want it any more. It may arrive more than once, never not at all for the end of a process.
 * `about` is the invitation that it brings, with which it is taken back.
 */
export async function queueMail(
  tx: Transaction,
  { clock, sealer }: Pick<Services, 'clock' | 'sealer'>,
  { to, subject, text, asksForChannel, expiresAt, about = null }: QueuedMail & { expiresAt: Date; about?: Uuid | null },
): Promise<void> {
  const now = clock.now()
  const id = newUuid(now)
  const mail: QueuedMail = { to, subject, text, ...(asksForChannel === undefined ? {} : { asksForChannel }) }
  const sealed = sealer.seal(JSON.stringify(mail), boundTo(id))
  await tx.query(sql`
    insert into account_mail (id, about, sealed, due_at, expires_at, created_at)
      values (${id}, ${about}, ${sealed}, ${now}, ${expiresAt}, ${now})`)
  await announceWork(tx, 'mails')
}

/** What the seal of a mail is bound to, so that none opens in the place of another. */
export function boundTo(id: Uuid): string {
  return `account mail ${id}`
}
