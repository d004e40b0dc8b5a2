import type { Keyword } from './keyword.ts'

export type RunningState = Pick<Keyword, 'muted' | 'pausedForBalance' | 'pausedForNoise' | 'pausedForCap'>

export type KeywordTrigger =
  /** The balance was checked before. */
  | { kind: 'mute' }
  | { kind: 'unmute' }
  /** A keyword paused for noise starts again. */
  | { kind: 'rules_changed' }
  /** Too much noise, while the welcome credit pays. */
  | { kind: 'noise_found' }
  | { kind: 'cap_reached' }
  | { kind: 'cap_changed'; cap: number | null; monthCount: number }
  /** The caller's own limit is in force. */
  | { kind: 'welcome_lifted'; cap: number | null; monthCount: number }
  | { kind: 'month_turned'; cap: number | null; monthCount: number }

export type WalletTrigger = { kind: 'balance_short' } | { kind: 'balance_restored' }

export type RunningTrigger = KeywordTrigger | WalletTrigger

export type ResumeReason = 'balance_restored' | 'cap_raised' | 'cap_removed' | 'month_turned'
export type ResumeEvent = { event: 'keyword.resumed'; reason: ResumeReason }
export type KeywordEvent = { event: 'keyword.capped' } | ResumeEvent
export type RunningEvent = KeywordEvent | { event: 'keyword.paused_for_balance' }

export interface RunningStep<Event extends RunningEvent = RunningEvent> {
  state: RunningState
  event: Event | null
}

/** One cause at a time. */
export type Stop = 'nothing' | 'the caller' | 'the balance' | 'noise'

export type CapCondition = 'no limit' | 'limit above the count' | 'limit at or below the count'

export interface Transition {
  trigger: RunningTrigger['kind']
  stops: readonly Stop[]
  /** Null when irrelevant, and then unchanged. */
  capped: boolean | null
  /** Null when irrelevant. */
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
 * A combination without a row changes nothing and sends no event. A stopped keyword does not collect, so its cap
 * changes without an event.
 */
export const KEYWORD_TRANSITIONS: readonly Transition[] = [
  // A capped keyword is still charged by the day.
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
  // A credit does not restart a keyword paused for noise.
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
  // The caller's mute replaces any other cause, so neither a credit nor new rules undo it.
  { trigger: 'mute', stops: ANY, capped: null, condition: null, to: { stop: 'the caller' }, event: null },
  { trigger: 'unmute', stops: STOPPED, capped: null, condition: null, to: { stop: 'nothing' }, event: null },
]

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
  const row = KEYWORD_TRANSITIONS.find(fits)
  if (!row) return { state, event: null }
  return { state: stateOf(row.to.stop ?? stop, row.to.capped ?? state.pausedForCap), event: row.event }
}

export function stopOf({ muted, pausedForBalance, pausedForNoise }: RunningState): Stop {
  if (!muted) return 'nothing'
  if (pausedForBalance) return 'the balance'
  return pausedForNoise ? 'noise' : 'the caller'
}

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
