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
  /** Enough was scored, too little of it is relevant, and the welcome credit pays for it. */
  | { kind: 'noise_found' }
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

/** What stops a keyword, if anything does. It has one cause at a time. */
export type Stop = 'nothing' | 'the caller' | 'the balance' | 'noise'

/** How the count of this month stands to the limit in force, as far as a trigger says so. */
export type CapCondition = 'no limit' | 'limit above the count' | 'limit at or below the count'

/** One row of the table: what a trigger does to a keyword in one of some states. */
export interface Transition {
  trigger: RunningTrigger['kind']
  stops: readonly Stop[]
  /** Whether the limit of the month is reached before; null where that makes no difference and stays as it is. */
  capped: boolean | null
  /** Null where the trigger says nothing of a limit, or what it says makes no difference. */
  condition: readonly CapCondition[] | null
  to: { stop?: Stop; capped?: boolean }
  event: RunningEvent | null
}

const STOPPED: readonly Stop[] = ['the caller', 'the balance', 'noise']
const ANY: readonly Stop[] = ['nothing', ...STOPPED]
const RUNS: readonly Stop[] = ['nothing']
const ABOVE: readonly CapCondition[] = ['limit above the count']
const NONE: readonly CapCondition[] = ['no limit']
const BELOW_OR_NONE: readonly CapCondition[] = ['no limit', 'limit above the count']
const REACHED: readonly CapCondition[] = ['limit at or below the count']

const CAPPED = { event: 'keyword.capped' } as const
const resumed = (reason: ResumeReason) => ({ event: 'keyword.resumed', reason }) as const

/**
 * Every transition of the running state, one for each state, trigger and condition; where none is found the keyword
 * stays as it is and nobody is told. A stopped keyword neither collected before nor does afterwards, so its cap moves
 * without a word.
 */
export const TRANSITIONS: readonly Transition[] = [
  // A capped keyword costs its day all the same. It is told to collect again when its cap ends.
  { trigger: 'cap_reached', stops: RUNS, capped: false, condition: null, to: { capped: true }, event: CAPPED },
  { trigger: 'cap_reached', stops: STOPPED, capped: false, condition: null, to: { capped: true }, event: null },
  {
    trigger: 'month_turned',
    stops: RUNS,
    capped: true,
    condition: BELOW_OR_NONE,
    to: { capped: false },
    event: resumed('month_turned'),
  },
  {
    trigger: 'month_turned',
    stops: STOPPED,
    capped: true,
    condition: BELOW_OR_NONE,
    to: { capped: false },
    event: null,
  },
  { trigger: 'month_turned', stops: RUNS, capped: false, condition: REACHED, to: { capped: true }, event: CAPPED },
  { trigger: 'month_turned', stops: STOPPED, capped: false, condition: REACHED, to: { capped: true }, event: null },
  {
    trigger: 'cap_changed',
    stops: RUNS,
    capped: true,
    condition: ABOVE,
    to: { capped: false },
    event: resumed('cap_raised'),
  },
  {
    trigger: 'cap_changed',
    stops: RUNS,
    capped: true,
    condition: NONE,
    to: { capped: false },
    event: resumed('cap_removed'),
  },
  {
    trigger: 'cap_changed',
    stops: STOPPED,
    capped: true,
    condition: BELOW_OR_NONE,
    to: { capped: false },
    event: null,
  },
  { trigger: 'cap_changed', stops: ANY, capped: true, condition: REACHED, to: {}, event: null },
  { trigger: 'cap_changed', stops: RUNS, capped: false, condition: REACHED, to: { capped: true }, event: CAPPED },
  { trigger: 'cap_changed', stops: STOPPED, capped: false, condition: REACHED, to: { capped: true }, event: null },
  {
    trigger: 'welcome_lifted',
    stops: RUNS,
    capped: true,
    condition: BELOW_OR_NONE,
    to: { capped: false },
    event: resumed('cap_raised'),
  },
  {
    trigger: 'welcome_lifted',
    stops: STOPPED,
    capped: true,
    condition: BELOW_OR_NONE,
    to: { capped: false },
    event: null,
  },
  { trigger: 'welcome_lifted', stops: RUNS, capped: false, condition: REACHED, to: { capped: true }, event: CAPPED },
  { trigger: 'welcome_lifted', stops: STOPPED, capped: false, condition: REACHED, to: { capped: true }, event: null },
  {
    trigger: 'balance_short',
    stops: RUNS,
    capped: null,
    condition: null,
    to: { stop: 'the balance' },
    event: { event: 'keyword.paused_for_balance' },
  },
  // What was stopped for noise stays so: money does not make it better.
  {
    trigger: 'balance_restored',
    stops: ['the balance'],
    capped: false,
    condition: null,
    to: { stop: 'nothing' },
    event: resumed('balance_restored'),
  },
  {
    trigger: 'balance_restored',
    stops: ['the balance'],
    capped: true,
    condition: null,
    to: { stop: 'nothing' },
    event: null,
  },
  { trigger: 'noise_found', stops: RUNS, capped: null, condition: null, to: { stop: 'noise' }, event: null },
  { trigger: 'rules_changed', stops: ['noise'], capped: null, condition: null, to: { stop: 'nothing' }, event: null },
  // The caller's own wish takes the place of whatever else had stopped it, and neither a credit nor better rules undo
  // it.
  { trigger: 'mute', stops: ANY, capped: null, condition: null, to: { stop: 'the caller' }, event: null },
  { trigger: 'unmute', stops: STOPPED, capped: null, condition: null, to: { stop: 'nothing' }, event: null },
]

/** The state after a trigger, and the account event that tells of it, if any: the row of the table that fits. */
export function stepRunning(state: RunningState, trigger: KeywordTrigger): RunningStep<KeywordEvent>
export function stepRunning(state: RunningState, trigger: { kind: 'balance_restored' }): RunningStep<ResumeEvent>
export function stepRunning(state: RunningState, trigger: RunningTrigger): RunningStep
export function stepRunning(state: RunningState, trigger: RunningTrigger): RunningStep {
  const [stop, condition] = [stopOf(state), conditionOf(trigger)]
  const fits = (row: Transition) =>
    row.trigger === trigger.kind &&
    row.stops.includes(stop) &&
    (row.capped === null || row.capped === state.pausedForCap) &&
    (row.condition === null || (condition !== null && row.condition.includes(condition)))
  const row = TRANSITIONS.find(fits)
  if (!row) return { state, event: null }
  return { state: stateOf(row.to.stop ?? stop, row.to.capped ?? state.pausedForCap), event: row.event }
}

export function stopOf({ muted, pausedForBalance, pausedForNoise }: RunningState): Stop {
  if (!muted) return 'nothing'
  if (pausedForBalance) return 'the balance'
  return pausedForNoise ? 'noise' : 'the caller'
}

/** The flags of a keyword that is stopped by one thing, and may have reached its limit besides. */
export function stateOf(stop: Stop, capped: boolean): RunningState {
  return {
    muted: stop !== 'nothing',
    pausedForBalance: stop === 'the balance',
    pausedForNoise: stop === 'noise',
    pausedForCap: capped,
  }
}

function conditionOf(trigger: RunningTrigger): CapCondition | null {
  if (!('monthCount' in trigger)) return null
  if (trigger.cap === null) return 'no limit'
  return trigger.monthCount < trigger.cap ? 'limit above the count' : 'limit at or below the count'
}
