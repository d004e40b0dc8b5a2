import type { GrantEnd } from '../../domain/audit/kinds.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql, type Transaction } from '../../store/database.ts'
import { dropInvitationsOf } from '../invitations/drop-invitations.ts'
import { endGrants } from '../oauth/end-grants.ts'

/**
 * Ends every access without the password, in all workspaces. API keys belong to workspaces and stay, except those of
 * the person's programs. The caller holds the account lock.
 */
export async function endAccess(tx: Transaction, userId: Uuid, because: GrantEnd, now: Date): Promise<void> {
  await tx.query(sql`delete from user_session where user_id = ${userId}`)
  await tx.query(sql`delete from email_link where user_id = ${userId}`)
  await endGrants(tx, { userId }, because, now)
  await tx.query(sql`delete from user_identity where user_id = ${userId}`)
  await dropInvitationsOf(tx, userId, now)
}
