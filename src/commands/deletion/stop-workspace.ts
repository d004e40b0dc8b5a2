import { stepRunning } from '../../domain/keyword/lifecycle.ts'
import { inBatches } from '../../kernel/batches.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Transaction } from '../../store/database.ts'
import { cancelUnsent } from '../../store/delivery/cancel-deliveries.ts'
import { lockRunning, storeRunning } from '../../store/keyword/running-states.ts'
import {
  holdScores,
  isLeaving,
  type LeavingState,
  readChannelIds,
  readLeaving,
  storeLeaving,
  switchChannels,
} from '../../store/workspace/deletions.ts'
import type { Services } from '../writing.ts'
import { holdWorkspace } from './hold-workspace.ts'

/** Mentions per transaction. */
const HOLD_PORTION = 1000

type Stopped = Pick<LeavingState, 'keywordIds' | 'channelIds'>

/** Mutes all keywords and disables all channels; returns those that ran. The caller holds the workspace. */
export async function stopWorkspace(tx: Transaction, workspaceId: Uuid, at: Date): Promise<Stopped> {
  const keywords = await lockRunning(tx, [workspaceId], 'running')
  const moves = keywords.map((keyword) => ({ keyword, state: stepRunning(keyword.state, { kind: 'mute' }).state }))
  await storeRunning(tx, moves, at)
  const channelIds = await switchChannels(tx, workspaceId, { enabled: false, ids: 'all' })
  return { keywordIds: keywords.map(({ id }) => id), channelIds }
}

/**
 * Stops what a request that was under way at the deletion started, cancels what waits for a channel, and holds unscored
 * mentions. Every part has a transaction of its own, which a restored workspace ends.
 */
export async function settleLeaving({ db, clock }: Services, workspaceId: Uuid): Promise<void> {
  await db.transaction((tx) => stopMore(tx, workspaceId, clock.now()))
  for (const id of await readChannelIds(db, workspaceId))
    await db.transaction(async (tx) => {
      if (await isLeaving(tx, workspaceId)) await cancelUnsent(tx, workspaceId, id, 'the workspace is being deleted')
    })
  await inBatches(HOLD_PORTION, () =>
    db.transaction(async (tx) =>
      (await isLeaving(tx, workspaceId)) ? await holdScores(tx, workspaceId, HOLD_PORTION) : 0,
    ),
  )
}

async function stopMore(tx: Transaction, workspaceId: Uuid, at: Date): Promise<void> {
  // A keyword that is made right now is stopped by the next call.
  if ((await holdWorkspace(tx, workspaceId)) !== null || !(await isLeaving(tx, workspaceId))) return
  const { deletesAt, keywordIds, channelIds } = await readLeaving(tx, workspaceId)
  const more = await stopWorkspace(tx, workspaceId, at)
  if (more.keywordIds.length + more.channelIds.length > 0)
    await storeLeaving(tx, workspaceId, {
      deletesAt,
      keywordIds: [...keywordIds, ...more.keywordIds],
      channelIds: [...channelIds, ...more.channelIds],
    })
}
