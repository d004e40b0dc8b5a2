import type { Role } from '../../domain/member/member.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql, type Transaction } from '../../store/database.ts'

/**
 * Holds the team of a workspace still until the transaction ends, so that what was judged of it is still true when it
 * is written: two owners who leave at once, or remove each other, come one after the other.
 */
export async function lockTeam(tx: Transaction, workspaceId: Uuid): Promise<void> {
  // Rows that only name the workspace, such as mentions, are still written meanwhile.
  await tx.query(sql`select 1 from workspace where id = ${workspaceId} for no key update`)
}

/**
 * The role that a person has at this moment, which may be another than when their request began; null for no member.
 */
export async function roleOf(tx: Transaction, workspaceId: Uuid, userId: Uuid): Promise<Role | null> {
  const [member] = await tx.query<{ role: Role }>(
    sql`select role from membership where workspace_id = ${workspaceId} and user_id = ${userId}`,
  )
  return member?.role ?? null
}
