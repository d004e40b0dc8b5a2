import { describe, expect, test } from 'vitest'
import { type RunningState, type RunningTrigger, stepRunning } from './lifecycle.ts'

const FLAGS = [false, true]
/** Every combination of flags, those that should not come about included. */
const STATES: RunningState[] = FLAGS.flatMap((muted) =>
  FLAGS.flatMap((pausedForBalance) =>
    FLAGS.flatMap((pausedForNoise) => FLAGS.map((pausedForCap) => ({ muted, pausedForBalance, pausedForNoise, pausedForCap }))),
  ),
)

const TRIGGERS: RunningTrigger[] = [
  { kind: 'mute' },
  { kind: 'unmute' },
  { kind: 'rules_changed' },
  { kind: 'cap_reached' },
  { kind: 'cap_changed', cap: null, monthCount: 7 },
  { kind: 'cap_changed', cap: 8, monthCount: 7 },
  { kind: 'cap_changed', cap: 7, monthCount: 7 },
  { kind: 'cap_changed', cap: 6, monthCount: 7 },
  { kind: 'welcome_lifted', cap: null, monthCount: 200 },
  { kind: 'welcome_lifted', cap: 200, monthCount: 200 },
  { kind: 'month_turned', cap: 5, monthCount: 0 },
  { kind: 'month_turned', cap: null, monthCount: 0 },
]

const WALK = STATES.flatMap((state) => TRIGGERS.map((trigger) => ({ state, trigger, name: `${JSON.stringify(state)} ${JSON.stringify(trigger)}` })))

/** The table of the specification, written down a second time as plain conditions. */
function expected(state: RunningState, trigger: RunningTrigger): { state: RunningState; event: unknown } {
  if (trigger.kind === 'mute') return { state: { ...state, muted: true }, event: null }
  if (trigger.kind === 'unmute') return { state: { ...state, muted: false, pausedForBalance: false, pausedForNoise: false }, event: null }
  if (trigger.kind === 'rules_changed') {
    return state.pausedForNoise ? { state: { ...state, muted: state.pausedForBalance, pausedForNoise: false }, event: null } : { state, event: null }
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
  expect(WALK).toHaveLength(16 * TRIGGERS.length)
  expect(new Set(TRIGGERS.map(({ kind }) => kind)).size).toBe(7)
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
    for (const cap of [1, 199, 200]) expect(stepRunning(capped, { kind: 'cap_changed', cap, monthCount: 200 })).toEqual({ state: capped, event: null })
    expect(stepRunning(capped, { kind: 'cap_changed', cap: 201, monthCount: 200 }).event).toEqual({ event: 'keyword.resumed', reason: 'cap_raised' })
  })

  test('a keyword that runs is stopped neither by the wallet nor for noise', () => {
    for (const { state, trigger } of WALK) {
      const sound = state.muted || (!state.pausedForBalance && !state.pausedForNoise)
      const next = stepRunning(state, trigger).state
      if (sound && !next.muted) expect([next.pausedForBalance, next.pausedForNoise]).toEqual([false, false])
    }
  })

  test('a muted keyword is never said to collect again', () => {
    for (const { state, trigger } of WALK) if (state.muted) expect(stepRunning(state, trigger).event).toBeNull()
  })
})
