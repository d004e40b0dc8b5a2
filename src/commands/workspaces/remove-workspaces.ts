import { toId } from '../../kernel/ids.ts'
import { removeWorkspaceRows } from '../../store/archive/remove-rows.ts'
import { isOverdue, readOverdue } from '../../store/workspace/deletions.ts'
import type { Services } from '../writing.ts'

/** Removes workspaces whose scheduled deletion is due; one that fails holds up no other. Returns how many. */
export async function removeWorkspaces({ db, clock, log }: Services): Promise<number> {
  const failures: unknown[] = []
  let removed = 0
  for (const id of await readOverdue(db, clock.now()))
    try {
      // Waits for a restore that began in time.
      if (!(await db.transaction((tx) => isOverdue(tx, id, clock.now())))) continue
      const rows = await removeWorkspaceRows(db, id)
      log.info({ event: 'workspace.removed', workspaceId: toId('org', id), rows }, 'A workspace was removed for good')
      removed += 1
    } catch (error) {
      failures.push(error)
    }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} workspaces cannot be removed`)
  return removed
}
