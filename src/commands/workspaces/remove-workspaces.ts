import { toId } from '../../kernel/ids.ts'
import { removeWorkspaceRows } from '../../store/archive/remove-rows.ts'
import { readOverdue } from '../../store/workspace/deletions.ts'
import type { Services } from '../writing.ts'

/** Removes workspaces whose scheduled deletion is due. Returns how many. */
export async function removeWorkspaces({ db, clock, log }: Services): Promise<number> {
  const overdue = await readOverdue(db, clock.now())
  for (const id of overdue) {
    const rows = await removeWorkspaceRows(db, id)
    log.info({ event: 'workspace.removed', workspaceId: toId('org', id), rows }, 'A workspace was removed for good')
  }
  return overdue.length
}
