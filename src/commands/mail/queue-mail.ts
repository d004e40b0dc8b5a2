import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { announceWork } from '../../store/announcements.ts'
import { sql, type Transaction } from '../../store/database.ts'
import type { Services } from '../writing.ts'

export interface QueuedMail {
  to: string
  /** One line. */
  subject: string
  text: string
  /** If the mailbox does not exist, no channel writes to it. */
  asksForChannel?: true
}

/** Sends at least once after the commit, until `expiresAt`. `about` is the invitation in the mail, for withdrawal. */
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

/** So that no mail opens in place of another. */
export function boundTo(id: Uuid): string {
  return `account mail ${id}`
}
