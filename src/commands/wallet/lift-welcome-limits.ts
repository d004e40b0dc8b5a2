import { capOf } from '../../domain/keyword/keyword.ts'
import { stepRunning } from '../../domain/keyword/lifecycle.ts'
import { dayOf, monthStart } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Transaction } from '../../store/database.ts'
import { recordRunningEvents } from '../../store/keyword/running-events.ts'
import { lockCapped, storeRunning } from '../../store/keyword/running-states.ts'

export interface LiftedKeyword {
  workspaceId: Uuid
  id: Uuid
}

/**
 * Lets keywords collect again that only the limit of the welcome credit had stopped. Their counters are locked already.
 * Answers which ones, running or not.
 */
export async function liftWelcomeLimits(
  tx: Transaction,
  workspaceIds: readonly Uuid[],
  at: Date,
): Promise<LiftedKeyword[]> {
  const month = dayOf(monthStart(at))
  const moves = (await lockCapped(tx, workspaceIds)).map((keyword) => {
    const monthCount = keyword.month === month ? keyword.monthMentions : 0
    const cap = capOf(keyword.capOwn, false)?.mentions ?? null
    return { keyword, cap, monthCount, at, ...stepRunning(keyword.state, { kind: 'welcome_lifted', cap, monthCount }) }
  })
  // A keyword that is muted as well is not told of, but must not be found at a limit when it runs again.
  const lifted = moves.filter(({ state }) => !state.pausedForCap)
  await storeRunning(tx, lifted, at)
  await recordRunningEvents(
    tx,
    lifted.flatMap(({ event, ...change }) => (event ? [{ ...change, event }] : [])),
  )
  return lifted.map(({ keyword: { workspaceId, id } }) => ({ workspaceId, id }))
}
