import type { Uuid } from '../../kernel/ids.ts'
import { sql, type Transaction } from '../../store/database.ts'
import type { AuditMailer } from '../audit/record-and-notify.ts'
import { addMember } from '../members/join-workspace.ts'
import { insertWorkspace } from '../workspaces/create-workspace.ts'

/** The credit comes only if `creditedAt` is null. The caller holds the account lock. */
export async function ownNewWorkspace(
  tx: Transaction,
  telling: AuditMailer,
  { id: userId, creditedAt }: { id: Uuid; creditedAt: Date | null },
  name: string,
  now: Date,
): Promise<Uuid> {
  const workspaceId = await insertWorkspace(tx, { name, credited: creditedAt === null }, now)
  await addMember(tx, telling, { workspaceId, role: 'owner' }, userId, now)
  await noteCredit(tx, userId, now)
  return workspaceId
}

/** Takes over the oldest workspace without members, such as the command line creates, which has its credit already. */
export async function ownOldestWorkspace(
  tx: Transaction,
  telling: AuditMailer,
  userId: Uuid,
  now: Date,
): Promise<Uuid | null> {
  const [oldest] = await tx.query<{ id: Uuid }>(sql`
    select w.id from workspace w where not exists (select from membership m where m.workspace_id = w.id)
      and not w.importing order by w.created_at, w.id limit 1 for no key update`)
  if (oldest === undefined) return null
  await addMember(tx, telling, { workspaceId: oldest.id, role: 'owner' }, userId, now)
  await noteCredit(tx, userId, now)
  return oldest.id
}

async function noteCredit(tx: Transaction, userId: Uuid, now: Date): Promise<void> {
  await tx.query(sql`update user_account set credited_at = coalesce(credited_at, ${now}) where id = ${userId}`)
}
