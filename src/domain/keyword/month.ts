import { dayOf, monthStart } from '../../kernel/clock.ts'
import { type KeywordEvent, type RunningState, stepRunning } from './lifecycle.ts'

export interface MonthOfMatches {
  state: RunningState
  month: string
  cap: number | null
  /** Including the new ones. */
  monthCount: number
}

/** A keyword capped in an earlier month resumes, one at its limit is capped. Both may happen at once. */
export function stepAfterMatches(
  { state, month, cap, monthCount }: MonthOfMatches,
  at: Date,
): { state: RunningState; events: KeywordEvent[] } {
  const turned = state.pausedForCap && month < dayOf(monthStart(at))
  const first = turned ? stepRunning(state, { kind: 'month_turned', cap, monthCount: 0 }) : { state, event: null }
  const full = cap !== null && monthCount >= cap
  const second = full ? stepRunning(first.state, { kind: 'cap_reached' }) : { state: first.state, event: null }
  return { state: second.state, events: [first.event, second.event].filter((event) => event !== null) }
}
