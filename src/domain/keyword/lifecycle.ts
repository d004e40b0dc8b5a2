import type { Keyword } from './keyword.ts'

/** What of a keyword says whether it runs. */
export type RunningState = Pick<Keyword, 'muted' | 'pausedForBalance' | 'pausedForNoise' | 'pausedForCap'>

/** What can happen to the running state of a keyword. */
export type RunningTrigger =
  /** The caller mutes or unmutes. Whether the balance allows it was asked before. */
  | { kind: 'mute' }
  | { kind: 'unmute' }
  /** The caller changed required or excluded terms, platforms or context: a keyword stopped for noise tries again. */
  | { kind: 'rules_changed' }
  /** This month's count reached the limit. */
  | { kind: 'cap_reached' }
  /** The limit was moved by the caller; `monthCount` matches were made this month. */
  | { kind: 'cap_changed'; cap: number | null; monthCount: number }
  /** The first top-up lifted the limit of the welcome credit; the caller's own is in force now. */
  | { kind: 'welcome_lifted'; cap: number | null; monthCount: number }
  /** A new month began with `monthCount` matches so far. */
  | { kind: 'month_turned'; cap: number | null; monthCount: number }

export type ResumeReason = 'cap_raised' | 'cap_removed' | 'month_turned'
export type RunningEvent = { event: 'keyword.capped' } | { event: 'keyword.resumed'; reason: ResumeReason }

/** The state after a trigger, and the account event that tells of it, if any. */
export function stepRunning(state: RunningState, trigger: RunningTrigger): { state: RunningState; event: RunningEvent | null } {
  switch (trigger.kind) {
    case 'mute':
      return { state: { ...state, muted: true }, event: null }
    case 'unmute':
      return { state: { ...state, muted: false, pausedForBalance: false, pausedForNoise: false }, event: null }
    case 'rules_changed':
      return { state: state.pausedForNoise ? { ...state, muted: state.pausedForBalance, pausedForNoise: false } : state, event: null }
    case 'cap_reached':
      return capped(state, true, { event: 'keyword.capped' })
    case 'cap_changed':
      return capMoved(state, trigger.cap, trigger.monthCount, trigger.cap === null ? 'cap_removed' : 'cap_raised')
    case 'welcome_lifted':
      return capMoved(state, trigger.cap, trigger.monthCount, 'cap_raised')
    case 'month_turned':
      return capMoved(state, trigger.cap, trigger.monthCount, 'month_turned')
  }
}

/** Above the count the keyword collects again; at or below it is, or becomes, capped. */
function capMoved(state: RunningState, cap: number | null, monthCount: number, reason: ResumeReason): { state: RunningState; event: RunningEvent | null } {
  const reached = cap !== null && monthCount >= cap
  return capped(state, reached, reached ? { event: 'keyword.capped' } : { event: 'keyword.resumed', reason })
}

/** A muted keyword neither collected before nor does afterwards, so there is nothing to tell of it. */
function capped(state: RunningState, pausedForCap: boolean, event: RunningEvent): { state: RunningState; event: RunningEvent | null } {
  if (pausedForCap === state.pausedForCap) return { state, event: null }
  return { state: { ...state, pausedForCap }, event: state.muted ? null : event }
}
