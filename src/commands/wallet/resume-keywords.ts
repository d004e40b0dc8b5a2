import { stepRunning } from '../../domain/keyword/lifecycle.ts'
import { restores, walletNoticeOf } from '../../domain/wallet/wallet.ts'
import { groupBy } from '../../kernel/group.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Transaction } from '../../store/database.ts'
import { resumedEvent } from '../../store/keyword/running-events.ts'
import { lockRunning, storeRunning } from '../../store/keyword/running-states.ts'
import { readWallet, readWallets } from '../../store/wallet/wallets.ts'
import { type RecordedEvent, recordAccountEvents } from '../../store/workspace/account-events.ts'
import type { LiftedKeyword } from './lift-welcome-limits.ts'

interface Resuming {
  at: Date
  lifted: readonly LiftedKeyword[]
}

/** Resumes none if one day of them cannot be paid. Counters and the workspace are locked already. */
export async function resumeKeywords(tx: Transaction, workspaceId: Uuid, resuming: Resuming): Promise<number> {
  if (!restores(await readWallet(tx, workspaceId))) return 0
  return (await resumeStopped(tx, [workspaceId], resuming)).get(workspaceId) ?? 0
}

/**
 * Resumes regardless of the balance. The wallet's event follows those of keywords and counts capped ones too, which run
 * and are charged. A keyword in `lifted` gets two events. Returns counts by workspace.
 */
export async function resumeStopped(
  tx: Transaction,
  workspaceIds: readonly Uuid[],
  { at, lifted }: Resuming,
): Promise<Map<Uuid, number>> {
  const keywords = await lockRunning(tx, workspaceIds, 'stopped')
  const moves = keywords.map((keyword) => ({ keyword, ...stepRunning(keyword.state, { kind: 'balance_restored' }) }))
  await storeRunning(tx, moves, at)
  const running = groupBy(
    moves.filter(({ state }) => !state.muted),
    ({ keyword }) => keyword.workspaceId,
  )
  if (running.size === 0) return new Map()
  const uncapped = new Set(lifted.map(({ id }) => id))
  const events = (await readWallets(tx, [...running.keys()])).flatMap((stored): RecordedEvent[] => {
    const { workspaceId } = stored
    const own = running.get(workspaceId)!
    const keywordEvents = own.flatMap(({ keyword, event }) => {
      if (event === null) return []
      const reasons = uncapped.has(keyword.id) ? (['cap_raised', event.reason] as const) : [event.reason]
      return reasons.map((reason) => resumedEvent(keyword, reason, at))
    })
    const data = { wallet: walletNoticeOf(stored), keywordsResumed: own.length, at: at.toISOString() }
    return [...keywordEvents, { workspaceId, event: 'wallet.resumed', at, data }]
  })
  await recordAccountEvents(tx, events)
  return new Map([...running].map(([workspaceId, own]) => [workspaceId, own.length]))
}
