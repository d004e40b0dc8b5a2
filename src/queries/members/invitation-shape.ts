import { linkOf } from '../../domain/member/invitation.ts'
import type { Role } from '../../domain/member/member.ts'
import { type Id, toId, type Uuid } from '../../kernel/ids.ts'
import type { Reading } from '../reading.ts'

/** An invitation as callers see it. */
export interface Invitation {
  id: Id<'inv'>
  email: string
  role: Role
  /** Null when the operator invited, or the account of who did is gone. */
  invitedBy: Id<'user'> | null
  expiresAt: string
  createdAt: string
  /**
   * Its link where no mail takes it to the invited person; null otherwise, for an owner's, and for who may not invite.
   */
  url: string | null
}

export interface InvitationRow {
  id: Uuid
  email: string
  role: Role
  mailed: boolean
  invited_by: Uuid | null
  expires_at: Date
  created_at: Date
}

/**
 * Whoever has the link can become a member with the role in it, so only who may invite is shown it. One that was mailed
 * is shown to nobody, because it proves whose the address is, and one for an owner neither: nobody who asks could have
 * made it.
 */
export function invitationFromRow(
  { publicUrl, sealer, workspaceId }: Pick<Reading, 'publicUrl' | 'sealer' | 'workspaceId'>,
  row: InvitationRow,
  mayInvite: boolean,
): Invitation {
  return {
    id: toId('inv', row.id),
    email: row.email,
    role: row.role,
    invitedBy: row.invited_by === null ? null : toId('user', row.invited_by),
    expiresAt: row.expires_at.toISOString(),
    createdAt: row.created_at.toISOString(),
    url:
      !row.mailed && mayInvite && row.role !== 'owner'
        ? linkOf({ publicUrl, sealer }, { workspaceId, id: row.id })
        : null,
  }
}
