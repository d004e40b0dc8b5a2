import type { AuditData } from '../../domain/audit/kinds.ts'
import { toId, type Uuid } from '../../kernel/ids.ts'
import { sql, type Transaction } from '../../store/database.ts'
import { recordAudit } from '../../store/workspace/audit.ts'

/** Which invitations of a workspace: those that fit everything that is given. */
export interface WhichInvitations {
  id?: Uuid
  emailFolded?: string
  invitedBy?: Uuid
  /** Those that apps made under these grants. */
  grantIds?: readonly Uuid[]
  /** Only those that expire after this moment. */
  after?: Date
}

/** Why invitations are withdrawn, for the security log. */
export interface Withdrawal {
  because: AuditData['invitation.withdrawn']['because']
  at: Date
}

/**
 * Takes invitations of a workspace away, and answers how many: their links open nothing any more, and mails with them
 * that have not left are not sent. That it may be is for the caller to judge. Null for a withdrawal that is none,
 * because another invitation takes the place.
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

/** Of one that had expired nothing was taken away. */
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

/** Takes away what a person sent in every workspace that they belong to. */
export async function dropInvitationsOf(tx: Transaction, invitedBy: Uuid, at: Date): Promise<void> {
  const sent = await tx.query<{ workspaceId: Uuid }>(sql`
    select distinct i.workspace_id as "workspaceId" from invitation i
      join membership m on m.workspace_id = i.workspace_id and m.user_id = i.invited_by
     where m.user_id = ${invitedBy}`)
  for (const { workspaceId } of sent)
    await dropInvitations(tx, workspaceId, { invitedBy }, { because: 'inviter_left', at })
}
