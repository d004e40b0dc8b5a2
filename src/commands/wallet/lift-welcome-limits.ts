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

/** The counters are locked already. Returns all lifted keywords, running or not. */
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
  // A muted keyword sends no event, but must not be capped later.
  const lifted = moves.filter(({ state }) => !state.pausedForCap)
  await storeRunning(tx, lifted, at)
  await recordRunningEvents(
    tx,
    lifted.flatMap(({ event, ...change }) => (event ? [{ ...change, event }] : [])),
  )
  return lifted.map(({ keyword: { workspaceId, id } }) => ({ workspaceId, id }))
}
