import { LINK_MS, LIVE_LINKS_MAX, type LinkPurpose } from '../../domain/account/account.ts'
import { mailboxOf } from '../../domain/member/invitation.ts'
import { plus } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { newSecret } from '../../kernel/secrets.ts'
import { sql, type Transaction } from '../../store/database.ts'
import { queueMail } from '../mail/queue-mail.ts'
import type { MailText } from '../mail/texts.ts'
import type { Services } from '../writing.ts'

export interface MailedLink {
  purpose: LinkPurpose
  email: string
  /** Null when the address has no account. */
  userId: Uuid | null
  mail(secret: string): MailText
  wanted: boolean
}

/**
 * Stores a link with its mail, unless the mailbox has too many. If no mail is wanted, the same statements run and roll
 * back, so the duration reveals nothing.
 */
export async function queueLink(
  tx: Transaction,
  services: Services,
  { purpose, email, userId, mail, wanted }: MailedLink,
): Promise<void> {
  const now = services.clock.now()
  const { text: secret, hash } = newSecret('lnk')
  const expiresAt = plus(now, LINK_MS[purpose])
  const mailbox = mailboxOf(email.toLowerCase())
  // Concurrent requests must count each other's links.
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`link ${mailbox}`}, 0))`)
  const [live] = await tx.query<{ links: number }>(
    sql`select count(*) as links from email_link where mailbox = ${mailbox} and purpose = ${purpose}
        and expires_at > ${now}`,
  )
  await tx.query(sql`savepoint queued`)
  await tx.query(sql`
    insert into email_link (hash, purpose, email, mailbox, user_id, created_at, expires_at)
    values (${hash}, ${purpose}, ${email}, ${mailbox}, ${userId}, ${now}, ${expiresAt})`)
  await queueMail(tx, services, { to: email, ...mail(secret), expiresAt })
  await tx.query(
    wanted && live!.links < LIVE_LINKS_MAX ? sql`release savepoint queued` : sql`rollback to savepoint queued`,
  )
}
