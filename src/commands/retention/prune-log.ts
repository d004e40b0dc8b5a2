import { prunePortion } from '../../store/delivery/prune-deliveries.ts'
import { findDue } from '../../store/retention/due-workspaces.ts'
import type { Services } from '../writing.ts'
import { inTurns } from './in-turns.ts'

/** Removes ended deliveries beyond the period of their workspace. Returns how many went. */
export async function pruneLog({ db, clock, retention }: Services): Promise<number> {
  let removed = 0
  const period = { installation: retention.deliveryDays, at: clock.now() }
  await inTurns(
    clock,
    () => findDue(db, 'delivery', period),
    async (workspace) => {
      const pruned = await prunePortion(db, workspace)
      removed += pruned.removed
      return pruned.more
    },
  )
  return removed
}
