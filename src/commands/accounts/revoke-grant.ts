import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import { endGrants } from '../oauth/end-grants.ts'
import type { Services } from '../writing.ts'

/**
 * Ends all of a person's grants to a program in one workspace, from its next request on. `id` is any of these grants.
 */
export async function revokeGrant(
  { db, clock }: Services,
  userId: Uuid,
  { workspaceId, id }: { workspaceId: Uuid; id: Uuid },
): Promise<undefined | Refusal<'not_found'>> {
  const ended = await db.transaction(async (tx) => {
    const [grant] = await tx.query<{ clientId: string }>(
      sql`select client_id as "clientId" from oauth_grant where workspace_id = ${workspaceId} and id = ${id}
          and user_id = ${userId}`,
    )
    return grant === undefined
      ? 0
      : endGrants(tx, { workspaceId, userId, clientId: grant.clientId }, 'person', clock.now())
  })
  return ended > 0 ? undefined : refuse('not_found', 'You have not connected this app.')
}
