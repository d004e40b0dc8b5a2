import { type Refusal, refuseField } from '../../domain/refusal/refusal.ts'
import { DELETION_GRACE_MS } from '../../domain/workspace/deletion.ts'
import { plus } from '../../kernel/clock.ts'
import { toId } from '../../kernel/ids.ts'
import { readWorkspace, type WorkspaceView } from '../../queries/workspaces.ts'
import type { Transaction } from '../../store/database.ts'
import { readLeaving, storeLeaving } from '../../store/workspace/deletions.ts'
import { recordAndNotify } from '../audit/record-and-notify.ts'
import type { WritingContext } from '../writing.ts'
import { holdWorkspace } from './hold-workspace.ts'
import { settleLeaving, stopWorkspace } from './stop-workspace.ts'

/** Stops the workspace at once and schedules its removal. `typed` must be its name. A repetition changes nothing. */
export async function deleteWorkspace(
  writing: WritingContext,
  typed: string,
): Promise<WorkspaceView | Refusal<'validation_error'> | Refusal<'conflict'>> {
  const { db, clock, workspaceId } = writing
  const { name } = await readLeaving(db, workspaceId)
  if (typed !== name) return refuseField('name', `must be the name of the workspace as it is shown: ${name}`)
  const refused = await db.transaction(async (tx) => {
    const busy = await holdWorkspace(tx, workspaceId)
    if (busy !== null) return busy
    const { deletesAt } = await readLeaving(tx, workspaceId)
    if (deletesAt === null) await leave(tx, writing, name, clock.now())
    return null
  })
  if (refused !== null) return refused
  await settleLeaving(writing, workspaceId)
  return await readWorkspace(writing)
}

async function leave(tx: Transaction, writing: WritingContext, name: string, at: Date): Promise<void> {
  const { workspaceId } = writing
  const stopped = await stopWorkspace(tx, workspaceId, at)
  const deletesAt = plus(at, DELETION_GRACE_MS)
  await storeLeaving(tx, workspaceId, { deletesAt, ...stopped })
  const target = { id: toId('org', workspaceId), name }
  const data = { deletesAt: deletesAt.toISOString() }
  await recordAndNotify(tx, writing, { workspaceId, kind: 'workspace.deletion_scheduled', target, data }, at)
}
