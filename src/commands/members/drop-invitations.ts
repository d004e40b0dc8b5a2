import type { Uuid } from '../../kernel/ids.ts'
import { sql, type Transaction } from '../../store/database.ts'

/** Which invitations of a workspace: those that fit everything that is given. */
export interface WhichInvitations {
  id?: Uuid
  emailFolded?: string
  invitedBy?: Uuid
  /** Only those that expire after this moment. */
  after?: Date
}

/**
 * Takes invitations of a workspace away, and answers how many: their links open nothing any more, and mails with them that
 * have not left are not sent. That it may be is for the caller to judge.
 */
export async function dropInvitations(tx: Transaction, workspaceId: Uuid, { id, emailFolded, invitedBy, after }: WhichInvitations): Promise<number> {
  if (id === undefined && emailFolded === undefined && invitedBy === undefined) throw new Error('which invitations are to go was not said')
  const dropped = await tx.query<{ id: Uuid }>(sql`
    delete from invitation
     where workspace_id = ${workspaceId}
       and (${id ?? null}::uuid is null or id = ${id ?? null})
       and (${emailFolded ?? null}::text is null or email_folded = ${emailFolded ?? null})
       and (${invitedBy ?? null}::uuid is null or invited_by = ${invitedBy ?? null})
       and (${after ?? null}::timestamptz is null or expires_at > ${after ?? null})
    returning id`)
  if (dropped.length > 0) await tx.query(sql`delete from account_mail where about = any (${dropped.map((one) => one.id)}::uuid[])`)
  return dropped.length
}

/** Takes away what a person sent in every workspace that they belong to. */
export async function dropInvitationsOf(tx: Transaction, invitedBy: Uuid): Promise<void> {
  const sent = await tx.query<{ workspaceId: Uuid }>(sql`
    select distinct i.workspace_id as "workspaceId" from invitation i
      join membership m on m.workspace_id = i.workspace_id and m.user_id = i.invited_by
     where m.user_id = ${invitedBy}`)
  for (const { workspaceId } of sent) await dropInvitations(tx, workspaceId, { invitedBy })
}
