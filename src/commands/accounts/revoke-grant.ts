import type { Uuid } from '../../kernel/ids.ts'
import { type Refusal, refuse } from '../../kernel/refusal.ts'
import { sql } from '../../store/database.ts'
import type { Services } from '../writing.ts'

/** Ends what a person allowed a program in one workspace, however often they did, from its next request on. `id` is one of these times. */
export async function revokeGrant(
  { db, clock }: Services,
  userId: Uuid,
  { workspaceId, id }: { workspaceId: Uuid; id: Uuid },
): Promise<undefined | Refusal<'not_found'>> {
  const revoked = await db.query(sql`
    update oauth_grant set revoked_at = ${clock.now()}
     where workspace_id = ${workspaceId} and user_id = ${userId} and revoked_at is null
       and client_id = (select client_id from oauth_grant where workspace_id = ${workspaceId} and id = ${id} and user_id = ${userId}) returning 1`)
  return revoked.length > 0 ? undefined : refuse('not_found', 'You allow no such program anything.')
}
