import { stepRunning } from '../../domain/keyword/lifecycle.ts'
import { type Refusal, refuseField } from '../../domain/refusal/refusal.ts'
import { DELETION_GRACE_MS } from '../../domain/workspace/deletion.ts'
import { plus } from '../../kernel/clock.ts'
import { toId, type Uuid } from '../../kernel/ids.ts'
import { readWorkspace, type WorkspaceView } from '../../queries/workspaces.ts'
import type { Transaction } from '../../store/database.ts'
import { cancelUnsent } from '../../store/delivery/cancel-deliveries.ts'
import { lockRunning, storeRunning } from '../../store/keyword/running-states.ts'
import { holdScores, readLeaving, storeLeaving, switchChannels } from '../../store/workspace/deletions.ts'
import { recordAndNotify } from '../audit/record-and-notify.ts'
import type { WritingContext } from '../writing.ts'
import { holdWorkspace } from './hold-workspace.ts'

/** Stops the workspace at once and schedules its removal. `typed` must be its name. A repetition changes nothing. */
export async function deleteWorkspace(
  writing: WritingContext,
  typed: string,
): Promise<WorkspaceView | Refusal<'validation_error'> | Refusal<'conflict'>> {
  const { db, clock, workspaceId } = writing
  return await db.transaction(async (tx) => {
    const busy = await holdWorkspace(tx, workspaceId)
    if (busy !== null) return busy
    const { name, deletesAt } = await readLeaving(tx, workspaceId)
    if (typed !== name) return refuseField('name', `must be the name of the workspace as it is shown: ${name}`)
    if (deletesAt === null) await leave(tx, writing, name, clock.now())
    return await readWorkspace({ db: tx, workspaceId })
  })
}

async function leave(tx: Transaction, writing: WritingContext, name: string, at: Date): Promise<void> {
  const { workspaceId } = writing
  const keywordIds = await stopKeywords(tx, workspaceId, at)
  const channelIds = await switchChannels(tx, workspaceId, { enabled: false, ids: 'all' })
  for (const id of channelIds) await cancelUnsent(tx, workspaceId, id, 'the workspace is being deleted')
  await holdScores(tx, workspaceId)
  const deletesAt = plus(at, DELETION_GRACE_MS)
  await storeLeaving(tx, workspaceId, { deletesAt, keywordIds, channelIds })
  const target = { id: toId('org', workspaceId), name }
  const data = { deletesAt: deletesAt.toISOString() }
  await recordAndNotify(tx, writing, { workspaceId, kind: 'workspace.deletion_scheduled', target, data }, at)
}

/** The counters and the workspace are locked already. */
async function stopKeywords(tx: Transaction, workspaceId: Uuid, at: Date): Promise<Uuid[]> {
  const keywords = await lockRunning(tx, [workspaceId], 'running')
  const moves = keywords.map((keyword) => ({ keyword, state: stepRunning(keyword.state, { kind: 'mute' }).state }))
  await storeRunning(tx, moves, at)
  return keywords.map(({ id }) => id)
}
