import { stepRunning } from '../../domain/keyword/lifecycle.ts'
import { restores, walletTold } from '../../domain/wallet/wallet.ts'
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
  /** Keywords that a limit of the welcome credit held until now. */
  lifted: readonly LiftedKeyword[]
}

/**
 * Lets every keyword go on that the balance had stopped, when a day of all that would run then can be paid; none of
 * them otherwise. Counters and the workspace are locked already. Answers how many go on.
 */
export async function resumeKeywords(tx: Transaction, workspaceId: Uuid, resuming: Resuming): Promise<number> {
  if (!restores(await readWallet(tx, workspaceId))) return 0
  return (await resumeStopped(tx, [workspaceId], resuming)).get(workspaceId) ?? 0
}

/**
 * Lets every keyword of these workspaces go on that the balance had stopped, whatever is left. Each that collects again
 * is told first, and then the whole, in which capped ones count too: they run and are charged, and are told when their
 * cap ends. One whose limit of the welcome credit the same credit lifted is told of both. Answers how many go on by
 * workspace, where any do.
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
    const told = own.flatMap(({ keyword, event }) => {
      if (event === null) return []
      const reasons = uncapped.has(keyword.id) ? (['cap_raised', event.reason] as const) : [event.reason]
      return reasons.map((reason) => resumedEvent(keyword, reason, at))
    })
    const data = { wallet: walletTold(stored), keywordsResumed: own.length, at: at.toISOString() }
    return [...told, { workspaceId, event: 'wallet.resumed', at, data }]
  })
  await recordAccountEvents(tx, events)
  return new Map([...running].map(([workspaceId, own]) => [workspaceId, own.length]))
}
