import type { AuditData } from '../../domain/audit/kinds.ts'
import { toId, type Uuid } from '../../kernel/ids.ts'
import { sql, type Transaction } from '../../store/database.ts'
import { recordAudit } from '../../store/workspace/audit.ts'

/** Invitations that meet all conditions. */
export interface WhichInvitations {
  id?: Uuid
  emailFolded?: string
  invitedBy?: Uuid
  /** Created by apps under these grants. */
  grantIds?: readonly Uuid[]
  /** Only those that expire after this time. */
  after?: Date
}

export interface Withdrawal {
  because: AuditData['invitation.withdrawn']['because']
  at: Date
}

/**
 * Deletes invitations and their unsent mails; returns how many. The caller checks permissions. `withdrawal` is null
 * when another invitation replaces them.
 */
export async function dropInvitations(
  tx: Transaction,
  workspaceId: Uuid,
  { id, emailFolded, invitedBy, grantIds, after }: WhichInvitations,
  withdrawal: Withdrawal | null,
): Promise<number> {
  if (id === undefined && emailFolded === undefined && invitedBy === undefined && grantIds === undefined)
    throw new Error('which invitations are to go was not said')
  const dropped = await tx.query<DroppedInvitation>(sql`
    delete from invitation
     where workspace_id = ${workspaceId}
       and (${id ?? null}::uuid is null or id = ${id ?? null})
       and (${emailFolded ?? null}::text is null or email_folded = ${emailFolded ?? null})
       and (${invitedBy ?? null}::uuid is null or invited_by = ${invitedBy ?? null})
       and (${grantIds ?? null}::uuid[] is null or grant_id = any(${grantIds ?? null}::uuid[]))
       and (${after ?? null}::timestamptz is null or expires_at > ${after ?? null})
    returning id, email, expires_at as "expiresAt"`)
  if (dropped.length > 0)
    await tx.query(
      sql`delete from account_mail where about = any (${dropped.map((invitation) => invitation.id)}::uuid[])`,
    )
  if (withdrawal !== null) await tell(tx, workspaceId, dropped, withdrawal)
  return dropped.length
}

interface DroppedInvitation {
  id: Uuid
  email: string
  expiresAt: Date
}

/** An expired invitation is not logged as withdrawn. */
async function tell(
  tx: Transaction,
  workspaceId: Uuid,
  dropped: readonly DroppedInvitation[],
  { because, at }: Withdrawal,
): Promise<void> {
  const open = dropped.filter(({ expiresAt }) => expiresAt > at)
  await recordAudit(
    tx,
    open.map(({ id, email }) => ({
      workspaceId,
      kind: 'invitation.withdrawn',
      target: { id: toId('inv', id), name: email },
      data: { because },
    })),
    at,
  )
}

/** Of one person, in all workspaces. */
export async function dropInvitationsOf(tx: Transaction, invitedBy: Uuid, at: Date): Promise<void> {
  const sent = await tx.query<{ workspaceId: Uuid }>(sql`
    select distinct i.workspace_id as "workspaceId" from invitation i
      join membership m on m.workspace_id = i.workspace_id and m.user_id = i.invited_by
     where m.user_id = ${invitedBy}`)
  for (const { workspaceId } of sent)
    await dropInvitations(tx, workspaceId, { invitedBy }, { because: 'inviter_left', at })
}
