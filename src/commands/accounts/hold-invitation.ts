import type { InvitationKey } from '../../domain/member/invitation.ts'
import { sql, type Transaction } from '../../store/database.ts'
import { lockTeam } from '../members/lock-team.ts'

/** Locks an invitation against withdrawal and use until the transaction ends; false when it is gone. */
export async function holdInvitation(tx: Transaction, { workspaceId, id }: InvitationKey, now: Date): Promise<boolean> {
  await lockTeam(tx, workspaceId)
  const held = await tx.query(
    sql`select 1 from invitation where workspace_id = ${workspaceId} and id = ${id} and expires_at > ${now} for update`,
  )
  return held.length === 1
}
