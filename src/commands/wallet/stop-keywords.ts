import { stepRunning } from '../../domain/keyword/lifecycle.ts'
import { walletNoticeOf } from '../../domain/wallet/wallet.ts'
import { groupBy } from '../../kernel/group.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Transaction } from '../../store/database.ts'
import { stoppedEvent } from '../../store/keyword/running-events.ts'
import { lockRunning, storeRunning } from '../../store/keyword/running-states.ts'
import { readWallets } from '../../store/wallet/wallets.ts'
import { type RecordedEvent, recordAccountEvents } from '../../store/workspace/account-events.ts'

/** Counters and workspaces are locked already. */
export async function stopKeywords(tx: Transaction, workspaceIds: readonly Uuid[], at: Date): Promise<void> {
  if (workspaceIds.length === 0) return
  const keywords = await lockRunning(tx, workspaceIds, 'running')
  const moves = keywords.map((keyword) => ({ keyword, ...stepRunning(keyword.state, { kind: 'balance_short' }) }))
  await storeRunning(tx, moves, at)
  const byWorkspace = groupBy(moves, ({ keyword }) => keyword.workspaceId)
  const events = (await readWallets(tx, workspaceIds)).flatMap((stored): RecordedEvent[] => {
    const wallet = walletNoticeOf(stored)
    const { workspaceId } = stored
    const stopped = (byWorkspace.get(workspaceId) ?? []).map(({ keyword }) => stoppedEvent(keyword, wallet, at))
    // No event where no keyword ran.
    if (stopped.length === 0) return []
    return [
      ...stopped,
      {
        workspaceId,
        event: 'wallet.paused',
        at,
        data: { wallet, keywordsPaused: stopped.length, at: at.toISOString() },
      },
    ]
  })
  await recordAccountEvents(tx, events)
}
