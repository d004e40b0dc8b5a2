import { toId, type Uuid } from '../../kernel/ids.ts'
import { removeWorkspaceRows } from '../../store/archive/remove-rows.ts'
import { isOverdue, readAllLeaving } from '../../store/workspace/deletions.ts'
import { forgetConnection } from '../channels/slack/forget-connection.ts'
import { revokeUnused } from '../channels/slack/revoke-unused.ts'
import type { Services } from '../writing.ts'
import { settleLeaving } from './stop-workspace.ts'

/**
 * Removes workspaces whose scheduled deletion is due, and stops what still runs in the others that are being deleted;
 * one that fails holds up no other. Returns how many were removed.
 */
export async function removeWorkspaces(services: Services): Promise<number> {
  const { db, clock } = services
  const failures: unknown[] = []
  let removed = 0
  for (const id of await readAllLeaving(db, clock.now()))
    try {
      // Waits for a restore that began in time.
      const isDue = await db.transaction((tx) => isOverdue(tx, id, clock.now()))
      if (isDue) {
        await removeWorkspace(services, id)
        removed += 1
      } else await settleLeaving(services, id)
    } catch (error) {
      failures.push(error)
    }
  if (failures.length > 0) throw new AggregateError(failures, `the deletion of ${failures.length} workspaces failed`)
  return removed
}

async function removeWorkspace(services: Services, id: Uuid): Promise<void> {
  const { db, clock, log } = services
  const connection = await forgetConnection(services, id, clock.now())
  if (connection !== null) await revokeUnused(services, connection)
  const rows = await removeWorkspaceRows(db, id)
  log.info({ event: 'workspace.removed', workspaceId: toId('org', id), rows }, 'A workspace was removed for good')
}
