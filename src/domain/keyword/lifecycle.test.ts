import { describe, expect, test } from 'vitest'
import {
  KEYWORD_TRANSITIONS,
  type RunningState,
  type RunningTrigger,
  type Stop,
  stateOf,
  stepRunning,
  stopOf,
} from './lifecycle.ts'

const STOPS: Stop[] = ['nothing', 'the caller', 'the balance', 'noise']
const STATES: RunningState[] = STOPS.flatMap((stop) => [stateOf(stop, false), stateOf(stop, true)])

const TRIGGERS: RunningTrigger[] = [
  { kind: 'mute' },
  { kind: 'unmute' },
  { kind: 'rules_changed' },
  { kind: 'noise_found' },
  { kind: 'cap_reached' },
  { kind: 'cap_changed', cap: null, monthCount: 7 },
  { kind: 'cap_changed', cap: 8, monthCount: 7 },
  { kind: 'cap_changed', cap: 7, monthCount: 7 },
  { kind: 'cap_changed', cap: 6, monthCount: 7 },
  { kind: 'welcome_lifted', cap: null, monthCount: 200 },
  { kind: 'welcome_lifted', cap: 200, monthCount: 200 },
  { kind: 'month_turned', cap: 5, monthCount: 0 },
  { kind: 'month_turned', cap: 5, monthCount: 5 },
  { kind: 'month_turned', cap: null, monthCount: 0 },
  { kind: 'balance_short' },
  { kind: 'balance_restored' },
]

const WALK = STATES.flatMap((state) =>
  TRIGGERS.map((trigger) => ({ state, trigger, name: `${JSON.stringify(state)} ${JSON.stringify(trigger)}` })),
)

/** The table of the specification, written down a second time as plain conditions. */
function expected(state: RunningState, trigger: RunningTrigger): { state: RunningState; event: unknown } {
  if (trigger.kind === 'mute')
    return { state: { ...state, muted: true, pausedForBalance: false, pausedForNoise: false }, event: null }
  if (trigger.kind === 'unmute')
    return { state: { ...state, muted: false, pausedForBalance: false, pausedForNoise: false }, event: null }
  if (trigger.kind === 'rules_changed') {
    return state.pausedForNoise
      ? { state: { ...state, muted: false, pausedForNoise: false }, event: null }
      : { state, event: null }
  }
  if (trigger.kind === 'noise_found')
    return { state: state.muted ? state : { ...state, muted: true, pausedForNoise: true }, event: null }
  if (trigger.kind === 'balance_short')
    return state.muted
      ? { state, event: null }
      : { state: { ...state, muted: true, pausedForBalance: true }, event: { event: 'keyword.paused_for_balance' } }
  if (trigger.kind === 'balance_restored') {
    if (!state.pausedForBalance) return { state, event: null }
    const resumed = state.pausedForCap ? null : { event: 'keyword.resumed', reason: 'balance_restored' }
    return { state: { ...state, muted: false, pausedForBalance: false }, event: resumed }
  }
  const atLimit = trigger.kind === 'cap_reached' || (trigger.cap !== null && trigger.monthCount >= trigger.cap)
  const next = { ...state, pausedForCap: atLimit }
  if (atLimit === state.pausedForCap || state.muted) return { state: next, event: null }
  if (atLimit) return { state: next, event: { event: 'keyword.capped' } }
  const reasons = new Map([
    ['cap_changed', trigger.kind === 'cap_changed' && trigger.cap === null ? 'cap_removed' : 'cap_raised'],
    ['welcome_lifted', 'cap_raised'],
    ['month_turned', 'month_turned'],
  ])
  return { state: next, event: { event: 'keyword.resumed', reason: reasons.get(trigger.kind) } }
}

test('the walk visits every state and every trigger', () => {
  expect(new Set(STATES.map((state) => JSON.stringify(state))).size).toBe(8)
  expect(new Set(TRIGGERS.map(({ kind }) => kind))).toEqual(new Set(KEYWORD_TRANSITIONS.map(({ trigger }) => trigger)))
})

test('a state is what stops the keyword and whether it is capped, and nothing else', () => {
  for (const state of STATES) expect(stateOf(stopOf(state), state.pausedForCap)).toEqual(state)
})

test('no two rows of the table fit the same state, trigger and condition', () => {
  const cells = KEYWORD_TRANSITIONS.flatMap(({ trigger, stops, capped, condition }) =>
    stops.flatMap((stop) =>
      (capped === null ? [false, true] : [capped]).flatMap((item) =>
        (condition ?? ['any']).map((fact) => [trigger, stop, item, fact].join(', ')),
      ),
    ),
  )
  expect(new Set(cells).size).toBe(cells.length)
  for (const kind of new Set(KEYWORD_TRANSITIONS.map(({ trigger }) => trigger))) {
    const conditions = KEYWORD_TRANSITIONS.filter(({ trigger }) => trigger === kind).map(
      ({ condition }) => condition === null,
    )
    expect(new Set(conditions).size).toBe(1)
  }
})

test.each(WALK)('$name', ({ state, trigger }) => {
  const before = structuredClone(state)
  expect(stepRunning(state, trigger)).toEqual(expected(state, trigger))
  expect(state).toEqual(before)
})

describe('the running state of the specification', () => {
  const running: RunningState = { muted: false, pausedForBalance: false, pausedForNoise: false, pausedForCap: false }

  test('reaching the cap does not mute, and is told once', () => {
    const first = stepRunning(running, { kind: 'cap_reached' })
    expect(first).toEqual({ state: { ...running, pausedForCap: true }, event: { event: 'keyword.capped' } })
    expect(stepRunning(first.state, { kind: 'cap_reached' }).event).toBeNull()
  })

  test('a cap at or below the count leaves a capped keyword capped without a word', () => {
    const capped = { ...running, pausedForCap: true }
    for (const cap of [1, 199, 200])
      expect(stepRunning(capped, { kind: 'cap_changed', cap, monthCount: 200 })).toEqual({ state: capped, event: null })
    expect(stepRunning(capped, { kind: 'cap_changed', cap: 201, monthCount: 200 }).event).toEqual({
      event: 'keyword.resumed',
      reason: 'cap_raised',
    })
  })

  test('a keyword is stopped for one reason at most, and none when it runs', () => {
    for (const { state, trigger } of WALK) expect(STATES).toContainEqual(stepRunning(state, trigger).state)
  })

  test('a keyword that is stopped for noise goes on by the caller alone', () => {
    for (const state of STATES.filter(({ pausedForNoise }) => pausedForNoise))
      for (const trigger of TRIGGERS)
        expect(stepRunning(state, trigger).state.muted).toBe(
          trigger.kind !== 'unmute' && trigger.kind !== 'rules_changed',
        )
  })

  test('what the wallet stops, a credit starts again as it was, and nothing else', () => {
    for (const state of STATES.filter(({ muted, pausedForBalance }) => !pausedForBalance || muted)) {
      const stopped = stepRunning(state, { kind: 'balance_short' })
      expect(stopped.state.muted).toBe(true)
      expect(stopped.event !== null).toBe(!state.muted)
      const restored = stepRunning(stopped.state, { kind: 'balance_restored' })
      expect(restored.state.pausedForBalance).toBe(false)
      if (!state.muted && !state.pausedForNoise) expect(restored.state).toEqual(state)
      if (state.muted && !state.pausedForBalance) expect(restored).toEqual({ state, event: null })
    }
  })

  test('a keyword is told to collect again exactly when a credit lets it, and a capped one when its cap ends', () => {
    for (const state of STATES) {
      const { state: next, event } = stepRunning(state, { kind: 'balance_restored' })
      expect(event !== null).toBe(state.pausedForBalance && !next.muted && !next.pausedForCap)
    }
    const capped = stepRunning(
      { ...running, muted: true, pausedForBalance: true, pausedForCap: true },
      { kind: 'balance_restored' },
    )
    expect(capped).toEqual({ state: { ...running, pausedForCap: true }, event: null })
    expect(stepRunning(capped.state, { kind: 'month_turned', cap: 1, monthCount: 0 }).event).toEqual({
      event: 'keyword.resumed',
      reason: 'month_turned',
    })
  })

  test('what the caller mutes stays muted, whatever had stopped it before and whatever comes but unmuting', () => {
    for (const state of STATES) {
      const muted = stepRunning(state, { kind: 'mute' })
      expect(muted).toEqual({
        state: { ...state, muted: true, pausedForBalance: false, pausedForNoise: false },
        event: null,
      })
      for (const trigger of TRIGGERS.filter(({ kind }) => kind !== 'unmute')) {
        expect(stepRunning(muted.state, trigger).state.muted).toBe(true)
        expect(stepRunning(muted.state, trigger).event).toBeNull()
      }
    }
  })

  test('a muted keyword is never said to collect again but by a credit', () => {
    for (const { state, trigger } of WALK)
      if (state.muted && trigger.kind !== 'balance_restored') expect(stepRunning(state, trigger).event).toBeNull()
  })
})
