import { dayOf, monthStart } from '../../kernel/clock.ts'
import { type KeywordEvent, type RunningState, stepRunning } from './lifecycle.ts'

/** What matches of this month found a keyword to be. */
export interface MonthOfMatches {
  state: RunningState
  /** The first day (UTC) of the month that its counter counted before. */
  month: string
  /** The limit in force; null without one. */
  cap: number | null
  /** The matches of this month, with these. */
  monthCount: number
}

/**
 * What new matches do to the running state of a keyword: one that was capped in an earlier month collects again, and
 * one whose month is full by now stops. Both may happen at once.
 */
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
