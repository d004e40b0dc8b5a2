import type { Scope } from '../../domain/oauth/scope.ts'
import { toolServerUrl } from '../../domain/workspace/workspace.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Statement, sql, type Transaction } from '../../store/database.ts'

/** A grant that nobody else can use or change until the transaction ends. */
export interface HeldGrant {
  workspaceId: Uuid
  id: Uuid
  clientId: string
  scope: Scope
  resource: string
  revokedAt: Date | null
  /** Whether its person still belongs to the workspace. */
  isMember: boolean
}

/** Where the grant behind a secret is found: a statement that answers its `workspace_id` and `grant_id`. */
export type GrantPlace = Statement<{ workspace_id: Uuid; grant_id: Uuid }>

/**
 * Takes hold of a grant. Of several requests with secrets of one grant each sees what the one before it left, if it
 * reads its secret after this: a statement that waited for a lock still sees the other tables as they were before.
 */
export async function holdGrant(tx: Transaction, place: GrantPlace): Promise<HeldGrant | null> {
  const [row] = await tx.query<HeldGrant>(sql`
    select g.workspace_id as "workspaceId", g.id, g.client_id as "clientId", g.scope, g.resource,
      g.revoked_at as "revokedAt",
           exists (select from membership m where m.workspace_id = g.workspace_id
             and m.user_id = g.user_id) as "isMember"
      from oauth_grant g where (g.workspace_id, g.id) = (${place}) for update`)
  return row ?? null
}

/**
 * Whether tokens of a grant could be used at all. After a move of the installation they could not, and the client has
 * to ask again.
 */
export function isAlive(grant: HeldGrant, publicUrl: string): boolean {
  return grant.revokedAt === null && grant.isMember && grant.resource === toolServerUrl(publicUrl)
}
