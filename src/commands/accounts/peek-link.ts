import type { LinkPurpose } from '../../domain/account/account.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { secretOf } from '../../kernel/secrets.ts'
import { type Reader, sql } from '../../store/database.ts'

export interface PeekedLink {
  email: string
  /** Null for a sign-up. */
  userId: Uuid | null
  /** Whether using the link confirms an account whose password somebody else may have set. */
  endsPassword: boolean
}

/** Null when the link is invalid or expired. */
export async function peekLink(
  db: Reader,
  secret: string,
  purpose: LinkPurpose,
  now: Date,
): Promise<PeekedLink | null> {
  const hash = linkHashOf(secret)
  if (hash === null) return null
  const [link] = await db.query<PeekedLink>(sql`
    select l.email, l.user_id as "userId",
           l.mailed and u.id is not null and u.email_confirmed_at is null
             and u.password_hash is not null as "endsPassword"
      from email_link l left join user_account u on u.id = l.user_id
     where l.hash = ${hash} and l.purpose = ${purpose} and l.expires_at > ${now}`)
  return link ?? null
}

export function linkHashOf(secret: string): Buffer | null {
  const read = secretOf(secret)
  return read?.kind === 'lnk' ? read.hash : null
}
