import { expect, test } from 'vitest'
import { stateOf } from './lifecycle.ts'
import { stepAfterMatches } from './month.ts'

const AT = new Date('2026-11-20T09:30:00Z')
const [THIS, LAST] = ['2026-11-01', '2026-10-01']
const RUNS = stateOf('nothing', false)
const CAPPED = stateOf('nothing', true)

test('a keyword below its limit, or without one, goes on and nobody is told', () => {
  for (const cap of [null, 11])
    expect(stepAfterMatches({ state: RUNS, month: THIS, cap, monthCount: 10 }, AT)).toEqual({ state: RUNS, events: [] })
})

test('a keyword whose month is full stops and says so', () => {
  expect(stepAfterMatches({ state: RUNS, month: THIS, cap: 10, monthCount: 10 }, AT)).toEqual({
    state: CAPPED,
    events: [{ event: 'keyword.capped' }],
  })
})

test('a keyword that was capped in an earlier month collects again', () => {
  expect(stepAfterMatches({ state: CAPPED, month: LAST, cap: 10, monthCount: 1 }, AT)).toEqual({
    state: RUNS,
    events: [{ event: 'keyword.resumed', reason: 'month_turned' }],
  })
})

test('the first matches of a month may fill it at once', () => {
  expect(stepAfterMatches({ state: CAPPED, month: LAST, cap: 1, monthCount: 1 }, AT)).toEqual({
    state: CAPPED,
    events: [{ event: 'keyword.resumed', reason: 'month_turned' }, { event: 'keyword.capped' }],
  })
})
