import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { grantOfWork } from '../../kernel/origin.ts'
import { sql, type Transaction } from '../../store/database.ts'

/**
 * The grant of the acting app, or null. The lock lasts until the commit, so that ending the grant finds what was
 * created.
 */
export async function keepGrant(tx: Transaction, workspaceId: Uuid): Promise<Uuid | null | Refusal<'unauthorized'>> {
  const id = grantOfWork()
  if (id === null) return null
  const alive = await tx.query(
    sql`select 1 from oauth_grant where workspace_id = ${workspaceId} and id = ${id} and revoked_at is null for share`,
  )
  return alive.length === 1 ? id : refuse('unauthorized', 'Invalid API key or access token')
}
