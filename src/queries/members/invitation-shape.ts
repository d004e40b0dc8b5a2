import { linkOf } from '../../domain/member/invitation.ts'
import type { Role } from '../../domain/member/member.ts'
import { type Id, toId, type Uuid } from '../../kernel/ids.ts'
import type { QueryContext } from '../reading.ts'

export interface Invitation {
  id: Id<'inv'>
  email: string
  role: Role
  /** Null for the operator or a deleted account. */
  invitedBy: Id<'user'> | null
  expiresAt: string
  createdAt: string
  /** The link, if no mail delivers it and the reader may invite; null for an owner's invitation. */
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
 * The link grants its role, so only people who may invite see it. The link of a mailed invitation is hidden because it
 * proves the address; that of an owner because no reader could have created it.
 */
export function invitationFromRow(
  { publicUrl, sealer, workspaceId }: Pick<QueryContext, 'publicUrl' | 'sealer' | 'workspaceId'>,
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
