import { LINK_MS, LIVE_LINKS_MAX, type LinkPurpose } from '../../domain/account/account.ts'
import { mailboxOf } from '../../domain/member/invitation.ts'
import { plus } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { newSecret } from '../../kernel/secrets.ts'
import { sql, type Transaction } from '../../store/database.ts'
import { queueMail } from '../mail/queue-mail.ts'
import type { MailText } from '../mail/texts.ts'
import type { Services } from '../writing.ts'

/** A link that is to be mailed. */
export interface MailedLink {
  purpose: LinkPurpose
  /** The address that asked, as it is to be known later. */
  email: string
  /** Null when there is no account, for a sign-up or because nobody has this address. */
  userId: Uuid | null
  /** The mail, for the secret of the link. */
  mail(secret: string): MailText
  /** Whether anything is to be sent. */
  wanted: boolean
}

/**
 * Writes a link and the mail with it, unless the mailbox has so many links that work already that one more would help
 * nobody. Where nothing is wanted the same is done and undone, so that the time it takes does not tell.
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
  // Of several requests at once none must overlook the links of the others.
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
