import type { Keyword } from './keyword.ts'

/** What of a keyword says whether it runs. */
export type RunningState = Pick<Keyword, 'muted' | 'pausedForBalance' | 'pausedForNoise' | 'pausedForCap'>

/** What callers, limits and the calendar do to the running state of a keyword. */
export type KeywordTrigger =
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

/** What the wallet does to it. */
export type WalletTrigger =
  /** The balance cannot pay for it any longer. */
  | { kind: 'balance_short' }
  /** A credit pays for a day of every keyword again. */
  | { kind: 'balance_restored' }

/** What can happen to the running state of a keyword. */
export type RunningTrigger = KeywordTrigger | WalletTrigger

export type ResumeReason = 'balance_restored' | 'cap_raised' | 'cap_removed' | 'month_turned'
export type ResumeEvent = { event: 'keyword.resumed'; reason: ResumeReason }
/** What follows from anything but the wallet. */
export type KeywordEvent = { event: 'keyword.capped' } | ResumeEvent
export type RunningEvent = KeywordEvent | { event: 'keyword.paused_for_balance' }

export interface RunningStep<Event extends RunningEvent = RunningEvent> {
  state: RunningState
  event: Event | null
}

/** The state after a trigger, and the account event that tells of it, if any. */
export function stepRunning(state: RunningState, trigger: KeywordTrigger): RunningStep<KeywordEvent>
export function stepRunning(state: RunningState, trigger: { kind: 'balance_restored' }): RunningStep<ResumeEvent>
export function stepRunning(state: RunningState, trigger: RunningTrigger): RunningStep
export function stepRunning(state: RunningState, trigger: RunningTrigger): RunningStep {
  switch (trigger.kind) {
    case 'mute':
      // The caller's own wish, which neither a credit nor better rules undo.
      return { state: { ...state, muted: true, pausedForBalance: false, pausedForNoise: false }, event: null }
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
    case 'balance_short':
      // A capped keyword costs its day too, so it stops like any other.
      return state.muted ? { state, event: null } : { state: { ...state, muted: true, pausedForBalance: true }, event: { event: 'keyword.paused_for_balance' } }
    case 'balance_restored':
      return balanceRestored(state)
  }
}

/**
 * What was stopped for noise stays so: money does not make it better. A capped keyword runs and is charged again, but does
 * not collect, so that is told when its cap ends.
 */
function balanceRestored(state: RunningState): RunningStep<ResumeEvent> {
  if (!state.pausedForBalance) return { state, event: null }
  const next = { ...state, pausedForBalance: false, muted: state.pausedForNoise }
  return { state: next, event: next.muted || next.pausedForCap ? null : { event: 'keyword.resumed', reason: 'balance_restored' } }
}

/** Above the count the keyword collects again; at or below it is, or becomes, capped. */
function capMoved(state: RunningState, cap: number | null, monthCount: number, reason: ResumeReason): RunningStep<KeywordEvent> {
  const reached = cap !== null && monthCount >= cap
  return capped(state, reached, reached ? { event: 'keyword.capped' } : { event: 'keyword.resumed', reason })
}

/** A muted keyword neither collected before nor does afterwards, so there is nothing to tell of it. */
function capped(state: RunningState, pausedForCap: boolean, event: KeywordEvent): RunningStep<KeywordEvent> {
  if (pausedForCap === state.pausedForCap) return { state, event: null }
  return { state: { ...state, pausedForCap }, event: state.muted ? null : event }
}
