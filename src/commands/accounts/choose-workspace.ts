import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import type { Services } from '../writing.ts'

export async function chooseWorkspace(
  { db }: Services,
  hash: Buffer,
  userId: Uuid,
  workspaceId: Uuid,
): Promise<undefined | Refusal<'not_found'>> {
  const chosen = await db.query(sql`
    update user_session set workspace_id = ${workspaceId}
     where hash = ${hash} and user_id = ${userId}
       and exists (select from membership m join workspace w on w.id = m.workspace_id and not w.importing
         where m.workspace_id = ${workspaceId} and m.user_id = ${userId})
    returning 1`)
  return chosen.length === 1 ? undefined : refuse('not_found', 'You are not a member of this workspace.')
}
