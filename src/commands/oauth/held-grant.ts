import type { Scope } from '../../domain/oauth/scope.ts'
import { toolServerUrl } from '../../domain/workspace/workspace.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Statement, sql, type Transaction } from '../../store/database.ts'
import { assertHere } from '../../store/frozen/moved.ts'

/** Locked until the transaction ends. */
export interface HeldGrant {
  workspaceId: Uuid
  id: Uuid
  clientId: string
  scope: Scope
  resource: string
  revokedAt: Date | null
  isMember: boolean
}

/** A query that returns `workspace_id` and `grant_id` for a secret. */
export type GrantPlace = Statement<{ workspace_id: Uuid; grant_id: Uuid }>

/**
 * Read the secret after this: a statement that waited for a lock sees other tables as they were before. Throws as
 * `assertHere`.
 */
export async function holdGrant(tx: Transaction, place: GrantPlace): Promise<HeldGrant | null> {
  const [row] = await tx.query<HeldGrant>(sql`
    select g.workspace_id as "workspaceId", g.id, g.client_id as "clientId", g.scope, g.resource,
      g.revoked_at as "revokedAt",
           exists (select from membership m where m.workspace_id = g.workspace_id
             and m.user_id = g.user_id) as "isMember"
      from oauth_grant g where (g.workspace_id, g.id) = (${place}) for update`)
  if (row !== undefined) await assertHere(tx, row.workspaceId)
  return row ?? null
}

/** False after the installation moved, so that the client asks again. */
export function isAlive(grant: HeldGrant, publicUrl: string): boolean {
  return grant.revokedAt === null && grant.isMember && grant.resource === toolServerUrl(publicUrl)
}
