import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { grantOfWork } from '../../kernel/origin.ts'
import { sql, type Transaction } from '../../store/database.ts'

/**
 * The grant by which an app makes something that outlives the request; null where no app acts. It is kept from ending
 * until the transaction is over: whoever ends it finds what was made, and refuses what comes after.
 */
export async function keepGrant(tx: Transaction, workspaceId: Uuid): Promise<Uuid | null | Refusal<'unauthorized'>> {
  const id = grantOfWork()
  if (id === null) return null
  const alive = await tx.query(
    sql`select 1 from oauth_grant where workspace_id = ${workspaceId} and id = ${id} and revoked_at is null for share`,
  )
  return alive.length === 1 ? id : refuse('unauthorized', 'Invalid API key or access token')
}
