import { removalObjection } from '../../domain/member/team.ts'
import type { Refusal } from '../../domain/refusal/refusal.ts'
import { inBatches } from '../../kernel/batches.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql, type Transaction } from '../../store/database.ts'
import { renewFeeds } from '../../store/filter/views.ts'
import { findLeftAssignees, UNASSIGNED_AT_ONCE, unassign } from '../../store/mention/assignees.ts'
import { recordAudit } from '../../store/workspace/audit.ts'
import { doubtRecipient } from '../channels/email/doubt-recipient.ts'
import { dropInvitations } from '../invitations/drop-invitations.ts'
import { endGrants } from '../oauth/end-grants.ts'
import { forgetPayer } from '../payments/forget-payer.ts'
import type { WritingContext } from '../writing.ts'
import { lockTeam, roleOf } from './lock-team.ts'
import { findMember, noSuchMember } from './update-member.ts'

/**
 * Ends everything that could lead back: sessions, grants, invitations, feed addresses. Channels that mail the address
 * wait for its confirmation. API keys stay, except those of the member's apps. Mentions, which may be many, are
 * unassigned afterwards; any later removal finishes an interrupted one.
 */
export async function removeMember(writing: WritingContext, by: Uuid, id: Uuid): Promise<undefined | Objection> {
  const objection = await endMembership(writing, by, id)
  if (objection === undefined || objection.code === 'not_found') await freeMentions(writing, by)
  return objection
}

type Objection = Refusal<'not_found'> | Refusal<'forbidden'> | Refusal<'last_owner'>

function endMembership(writing: WritingContext, by: Uuid, id: Uuid): Promise<undefined | Objection> {
  const { db, clock, workspaceId } = writing
  return db.transaction(async (tx) => {
    await lockTeam(tx, workspaceId)
    const member = await findMember(tx, workspaceId, id)
    if (member === null) return noSuchMember()
    const isSelf = member.userId === by
    const ownRole = await roleOf(tx, workspaceId, by)
    const owners = await countOwners(tx, workspaceId)
    const objection = removalObjection(ownRole, { role: member.role, isSelf }, owners)
    if (objection !== null) return objection
    await tx.query(sql`delete from membership where workspace_id = ${workspaceId} and id = ${id}`)
    const now = clock.now()
    const data = { role: member.role, left: isSelf }
    await recordAudit(tx, { workspaceId, kind: 'member.removed', target: { userId: member.userId }, data }, now)
    await closeTo(tx, workspaceId, member.userId, now)
    await forgetPayer(tx, writing, workspaceId, member.userId)
    return undefined
  })
}

/** Without the team lock: nobody can be assigned who is no member. */
async function freeMentions({ db, clock, workspaceId }: WritingContext, by: Uuid): Promise<void> {
  for (const userId of await findLeftAssignees(db, workspaceId)) {
    let after: Uuid | null = null
    await inBatches(UNASSIGNED_AT_ONCE, async () => {
      const ids: Uuid[] = await db.transaction((tx) =>
        unassign(tx, workspaceId, { userId, after }, { kind: 'person', id: by }, clock.now()),
      )
      after = ids.at(-1) ?? null
      return ids.length
    })
  }
}

async function countOwners(tx: Transaction, workspaceId: Uuid): Promise<number> {
  const [row] = await tx.query<{ owners: number }>(
    sql`select count(*) as owners from membership where workspace_id = ${workspaceId} and role = 'owner'`,
  )
  return row!.owners
}

/** Sessions before grants, as everywhere, to avoid deadlocks. */
async function closeTo(tx: Transaction, workspaceId: Uuid, userId: Uuid, now: Date): Promise<void> {
  await tx.query(
    sql`update user_session set workspace_id = null where user_id = ${userId} and workspace_id = ${workspaceId}`,
  )
  await endGrants(tx, { workspaceId, userId }, 'member_removed', now)
  await dropInvitations(tx, workspaceId, { invitedBy: userId }, { because: 'inviter_left', at: now })
  const [account] = await tx.query<{ email: string }>(
    sql`select email_folded as email from user_account where id = ${userId}`,
  )
  await doubtRecipient(tx, workspaceId, account!.email)
  await renewFeeds(tx, workspaceId, now)
}
