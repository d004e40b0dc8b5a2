import type { GrantEnd } from '../../domain/audit/kinds.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql, type Transaction } from '../../store/database.ts'
import { dropInvitationsOf } from '../invitations/drop-invitations.ts'
import { endGrants } from '../oauth/end-grants.ts'

/**
 * Ends everything by which somebody gets in as a person, or gets others in, without knowing the password: sessions,
 * links on their way, what programs were allowed in any workspace, identities at providers, and invitations that the
 * person sent. API keys belong to workspaces and stay, but for those that programs of the person made. The caller holds
 * the account.
 */
export async function endAccess(tx: Transaction, userId: Uuid, because: GrantEnd, now: Date): Promise<void> {
  await tx.query(sql`delete from user_session where user_id = ${userId}`)
  await tx.query(sql`delete from email_link where user_id = ${userId}`)
  await endGrants(tx, { userId }, because, now)
  await tx.query(sql`delete from user_identity where user_id = ${userId}`)
  await dropInvitationsOf(tx, userId, now)
}
