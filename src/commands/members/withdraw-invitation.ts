import { managesTeam, notManaging } from '../../domain/member/team.ts'
import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { dropInvitations } from '../invitations/drop-invitations.ts'
import type { WritingContext } from '../writing.ts'
import { lockTeam, roleOf } from './lock-team.ts'

/** Invalidates the link and drops an unsent mail. */
export async function withdrawInvitation(
  { db, clock, workspaceId }: WritingContext,
  by: Uuid,
  id: Uuid,
): Promise<undefined | Refusal<'not_found'> | Refusal<'forbidden'>> {
  return db.transaction(async (tx) => {
    await lockTeam(tx, workspaceId)
    if (!managesTeam(await roleOf(tx, workspaceId, by))) return notManaging()
    const at = clock.now()
    const withdrawn = await dropInvitations(tx, workspaceId, { id, after: at }, { because: 'asked', at })
    return withdrawn === 1 ? undefined : refuse('not_found', 'This workspace has no such invitation.')
  })
}
