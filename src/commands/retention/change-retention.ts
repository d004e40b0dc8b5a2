import { type Refusal, refuseField } from '../../domain/refusal/refusal.ts'
import type { OwnRetention } from '../../domain/workspace/retention.ts'
import { toId } from '../../kernel/ids.ts'
import { readWorkspace, type WorkspaceView } from '../../queries/workspaces.ts'
import { readOwnRetention, storeOwnRetention } from '../../store/retention/own-retention.ts'
import { recordAudit } from '../../store/workspace/audit.ts'
import type { WritingContext } from '../writing.ts'

/** An absent field stays as it is; null follows the installation. Refuses periods longer than the installation's. */
export async function changeRetention(
  { db, clock, workspaceId, retention }: WritingContext,
  change: { [Field in keyof OwnRetention]?: OwnRetention[Field] | undefined },
): Promise<WorkspaceView | Refusal<'validation_error'>> {
  for (const field of ['mentionDays', 'deliveryDays'] as const) {
    const [wanted, limit] = [change[field], retention[field]]
    if (wanted != null && limit !== null && wanted > limit)
      return refuseField(field, `must be at most ${limit}, the period of this installation`)
  }
  await db.transaction(async (tx) => {
    const before = await readOwnRetention(tx, workspaceId)
    const { mentionDays = before.mentionDays, deliveryDays = before.deliveryDays } = change
    if (mentionDays === before.mentionDays && deliveryDays === before.deliveryDays) return
    await storeOwnRetention(tx, workspaceId, { mentionDays, deliveryDays })
    const target = { id: toId('org', workspaceId), name: before.name }
    const data = { mentionDays, deliveryDays }
    await recordAudit(tx, { workspaceId, kind: 'workspace.retention_changed', target, data }, clock.now())
  })
  return await readWorkspace({ db, workspaceId, retention })
}
