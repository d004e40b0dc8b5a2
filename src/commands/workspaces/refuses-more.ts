import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { type LimitedThing, THING_NAMES, WORKSPACE_LIMITS } from '../../domain/workspace/limits.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Transaction } from '../../store/database.ts'
import { countThings, lockWorkspace } from '../../store/workspace/workspaces.ts'

/**
 * The lock keeps the room until the transaction ends. Groups and keywords are locked before this call, channels and
 * rules after.
 */
export async function refusesMore(
  tx: Transaction,
  workspaceId: Uuid,
  thing: LimitedThing,
  more = 1,
): Promise<Refusal<'conflict'> | null> {
  await lockWorkspace(tx, workspaceId)
  const most = WORKSPACE_LIMITS[thing]
  return (await countThings(tx, workspaceId, thing)) + more > most
    ? refuse('conflict', `A workspace has at most ${most} ${THING_NAMES[thing]}`)
    : null
}
