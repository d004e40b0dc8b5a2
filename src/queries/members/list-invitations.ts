import { sql } from '../../store/database.ts'
import type { QueryContext } from '../reading.ts'
import { type Invitation, type InvitationRow, invitationFromRow } from './invitation-shape.ts'

/** Open invitations, oldest first. Links are only for people who may invite. */
export async function listInvitations(
  reading: QueryContext,
  { mayInvite }: { mayInvite: boolean },
): Promise<Invitation[]> {
  const { db, clock, workspaceId } = reading
  const rows = await db.query<InvitationRow>(sql`
    select id, email, role, mailed, invited_by, expires_at, created_at
      from invitation where workspace_id = ${workspaceId} and expires_at > ${clock.now()} order by id`)
  return rows.map((row) => invitationFromRow(reading, row, mayInvite))
}
