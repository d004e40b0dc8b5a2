import { foldEmail } from '../../domain/account/account.ts'
import { INVITATION_MAILS, type InvitedRole, linkOf, mailboxOf } from '../../domain/member/invitation.ts'
import { managesTeam, notManaging } from '../../domain/member/team.ts'
import { isRefusal, type Refusal, refuse, refuseField } from '../../domain/refusal/refusal.ts'
import { plus, SECOND_MS } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Invitation, type InvitationRow, invitationFromRow } from '../../queries/members/invitation-shape.ts'
import { sql, type Transaction } from '../../store/database.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { invitationText } from '../mail/texts.ts'
import { keepGrant } from '../oauth/keep-grant.ts'
import { once } from '../once.ts'
import type { WritingContext } from '../writing.ts'
import { lockTeam, roleOf } from './lock-team.ts'
import { invitationObjection, writeInvitation } from './write-invitation.ts'

export interface NewInvitation {
  email: string
  role: InvitedRole
  requestId?: string | undefined
}

/** `wasThere`: the address was invited before, keeps that role, and nothing was sent again. */
export interface Invited {
  invitation: Invitation
  wasThere: boolean
}

type Refused =
  | Refusal<'validation_error'>
  | Refusal<'forbidden'>
  | Refusal<'already_member'>
  | Refusal<'conflict'>
  | Refusal<'rate_limited' | 'unauthorized'>

/** The link is mailed, or returned where there is no mail. */
export async function inviteMember(
  writing: WritingContext,
  by: Uuid,
  { requestId, email, role }: NewInvitation,
): Promise<Invited | Refused | Refusal<'request_conflict'>> {
  const { clock, workspaceId } = writing
  const emailFolded = foldEmail(email)
  if (emailFolded === null) return refuseField('email', 'must be an e-mail address')
  const [now, mailed] = [clock.now(), writing.mail !== null]
  return once<Invited | Refused>(
    writing,
    { operation: 'invite-member', requestId, body: { email, role } },
    async (tx) => {
      await lockTeam(tx, workspaceId)
      if (!managesTeam(await roleOf(tx, workspaceId, by))) return notManaging()
      const objection = await invitationObjection(tx, workspaceId, emailFolded, now)
      if (objection?.code === 'already_member') return objection
      const open = await findOpen(tx, workspaceId, emailFolded, now)
      if (open !== null) return { invitation: invitationFromRow(writing, open, true), wasThere: true }
      const unwanted = objection ?? (mailed ? await mailObjection(tx, emailFolded, now) : null)
      if (unwanted !== null) return unwanted
      const grantId = await keepGrant(tx, workspaceId)
      if (isRefusal(grantId)) return grantId
      const row = await writeInvitation(
        tx,
        workspaceId,
        { email: email.trim(), emailFolded, role, by, mailed, grantId },
        now,
      )
      if (mailed) await mailLink(tx, writing, row, emailFolded)
      return { invitation: invitationFromRow(writing, row, true), wasThere: false }
    },
  )
}

async function findOpen(
  tx: Transaction,
  workspaceId: Uuid,
  emailFolded: string,
  now: Date,
): Promise<InvitationRow | null> {
  const [open] = await tx.query<InvitationRow>(sql`
    select id, email, role, mailed, invited_by, expires_at, created_at
      from invitation where workspace_id = ${workspaceId} and email_folded = ${emailFolded} and expires_at > ${now}`)
  return open ?? null
}

/** Counts mails of withdrawn invitations too, since they have left. */
async function mailObjection(tx: Transaction, emailFolded: string, now: Date): Promise<Refusal<'rate_limited'> | null> {
  const mailbox = mailboxOf(emailFolded)
  // Concurrent workspaces must count each other's mails.
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`invitations to ${mailbox}`}, 0))`)
  const [sent] = await tx.query<{ mails: number; until: Date | null }>(
    sql`select count(*) as mails, min(expires_at) as until from invitation_mail
        where mailbox = ${mailbox} and expires_at > ${now}`,
  )
  const { mails, until } = sent!
  if (mails < INVITATION_MAILS.most || until === null) return null
  const message = `This address received ${INVITATION_MAILS.most} invitations within a day, which is the limit.`
  return refuse('rate_limited', message, {
    retryAfterSeconds: Math.ceil((until.getTime() - now.getTime()) / SECOND_MS),
  })
}

async function mailLink(
  tx: Transaction,
  writing: WritingContext,
  { id, email, invited_by, created_at, expires_at }: InvitationRow,
  emailFolded: string,
): Promise<void> {
  const { workspaceId } = writing
  const [names] = await tx.query<{ workspaceName: string; inviterName: string }>(sql`
    select w.name as "workspaceName", u.name as "inviterName" from workspace w, user_account u
      where w.id = ${workspaceId} and u.id = ${invited_by}`)
  const text = invitationText({ ...names!, url: linkOf(writing, { workspaceId, id }) })
  await tx.query(sql`
    insert into invitation_mail (id, mailbox, expires_at)
      values (${id}, ${mailboxOf(emailFolded)}, ${plus(created_at, INVITATION_MAILS.withinMs)})`)
  await queueMail(tx, writing, { to: email, ...text, expiresAt: expires_at, about: id })
}
