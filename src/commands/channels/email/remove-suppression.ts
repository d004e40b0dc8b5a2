import { type Refusal, refuse } from '../../../domain/refusal/refusal.ts'
import { toId, type Uuid } from '../../../kernel/ids.ts'
import { lockSuppression, unsuppress } from '../../../store/channel/suppressions.ts'
import { recordAudit } from '../../../store/workspace/audit.ts'
import type { WritingContext } from '../../writing.ts'

/**
 * A list of the whole installation: a workspace may try again where a mailbox did not exist, but whoever reported spam
 * is written to again only when the operator says so.
 */
export async function removeSuppression(
  { db, clock, workspaceId }: WritingContext,
  id: Uuid,
): Promise<undefined | Refusal<'not_found'> | Refusal<'recipient_suppressed'>> {
  return await db.transaction(async (tx) => {
    const found = await lockSuppression(tx, workspaceId, id)
    if (found === null) return refuse('not_found', 'No recipient of this workspace has such a suppression.')
    if (found.reason === 'complaint')
      return refuse(
        'recipient_suppressed',
        `${found.email} reported a mail as spam. Only the operator can allow mail again, with "earshot unsuppress".`,
      )
    await unsuppress(tx, found.email)
    const target = { id: toId('sup', id), name: found.email }
    await recordAudit(tx, { workspaceId, kind: 'suppression.removed', target, data: {} }, clock.now())
    return undefined
  })
}
