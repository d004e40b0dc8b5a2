import { stepRunning } from '../../domain/keyword/lifecycle.ts'
import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { toId, type Uuid } from '../../kernel/ids.ts'
import { readWorkspace, type WorkspaceView } from '../../queries/workspaces.ts'
import { sql, type Transaction } from '../../store/database.ts'
import { lockRunning, storeRunning } from '../../store/keyword/running-states.ts'
import {
  type LeavingState,
  readLeaving,
  releaseScores,
  storeLeaving,
  switchChannels,
} from '../../store/workspace/deletions.ts'
import { recordAndNotify } from '../audit/record-and-notify.ts'
import { resumeKeywords } from '../wallet/resume-keywords.ts'
import type { WritingContext } from '../writing.ts'
import { holdWorkspace } from './hold-workspace.ts'

/** Cancels a scheduled deletion and starts what it stopped; cancelled deliveries stay cancelled. */
export async function restoreWorkspace(writing: WritingContext): Promise<WorkspaceView | Refusal<'conflict'>> {
  const { db, clock, workspaceId } = writing
  return await db.transaction(async (tx) => {
    const busy = await holdWorkspace(tx, workspaceId)
    if (busy !== null) return busy
    const leaving = await readLeaving(tx, workspaceId)
    const at = clock.now()
    if (leaving.deletesAt !== null && leaving.deletesAt <= at)
      return refuse('conflict', 'The workspace is being removed and cannot be restored any more.')
    if (leaving.deletesAt !== null) await goOn(tx, writing, leaving, at)
    return await readWorkspace({ db: tx, workspaceId, retention: writing.retention })
  })
}

async function goOn(tx: Transaction, writing: WritingContext, leaving: LeavingState, at: Date): Promise<void> {
  const { workspaceId } = writing
  await storeLeaving(tx, workspaceId, { deletesAt: null, keywordIds: [], channelIds: [] })
  await startKeywords(tx, workspaceId, leaving.keywordIds, at)
  await switchChannels(tx, workspaceId, { enabled: true, ids: leaving.channelIds })
  await releaseScores(tx, workspaceId, at)
  const target = { id: toId('org', workspaceId), name: leaving.name }
  const event = { workspaceId, kind: 'workspace.restored', target, data: {} } as const
  await recordAndNotify(tx, writing, event, at)
}

/** The note makes the next look at wallets stop keywords that the balance does not cover. */
async function startKeywords(tx: Transaction, workspaceId: Uuid, ids: readonly Uuid[], at: Date): Promise<void> {
  const stopped = new Set(ids)
  const keywords = (await lockRunning(tx, [workspaceId], 'muted')).filter(({ id }) => stopped.has(id))
  const moves = keywords.map((keyword) => ({ keyword, state: stepRunning(keyword.state, { kind: 'unmute' }).state }))
  await storeRunning(tx, moves, at)
  await resumeKeywords(tx, workspaceId, { at, lifted: [] })
  await tx.query(sql`insert into wallet_spent (workspace_id) values (${workspaceId})`)
}
