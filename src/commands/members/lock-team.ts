import type { Role } from '../../domain/member/member.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql, type Transaction } from '../../store/database.ts'
import { assertHere } from '../../store/frozen/moved.ts'

/** Two owners who leave or remove each other run one after the other. Throws as `assertHere`. */
export async function lockTeam(tx: Transaction, workspaceId: Uuid): Promise<void> {
  await assertHere(tx, workspaceId)
  // Rows that only refer to the workspace can still be written.
  await tx.query(sql`select 1 from workspace where id = ${workspaceId} for no key update`)
}

/** May differ from the role at the start of the request. */
export async function roleOf(tx: Transaction, workspaceId: Uuid, userId: Uuid): Promise<Role | null> {
  const [member] = await tx.query<{ role: Role }>(
    sql`select role from membership where workspace_id = ${workspaceId} and user_id = ${userId}`,
  )
  return member?.role ?? null
}
