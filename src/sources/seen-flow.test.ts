import fc from 'fast-check'
import { expect, test } from 'vitest'
import { advanceFlow, flowFrom, type SeenFlow, seenEntries, seenEntry } from './seen-flow.ts'

const RULES = { overlapSeconds: 100, sinceSeconds: 0, mostIds: 50 }
const itemsOf = (times: readonly number[]) => times.map((seconds, at) => ({ nativeId: `post:${at}`, seconds }))
const flowAt = (newestSeconds: number): SeenFlow => ({ newestSeconds, seen: new Map() })

test('every item within the overlap comes once, however often and in whatever order it is shown', () => {
  const times = fc.array(fc.nat({ max: 90 }), { maxLength: 40 })
  fc.assert(
    fc.property(times, fc.integer(), (shown, seed) => {
      const items = itemsOf(shown)
      const flow = flowAt(0)
      const first = advanceFlow(flow, items.slice(0, seed & 15), 1000, RULES)
      const second = advanceFlow(flow, [...items, ...items], 1000, RULES)
      expect([...first, ...second].map(({ nativeId }) => nativeId).sort()).toEqual(
        items.map(({ nativeId }) => nativeId).sort(),
      )
    }),
  )
})

test('an item from before the overlap or before the beginning is not new', () => {
  expect(advanceFlow(flowAt(500), itemsOf([399, 400]), 1000, RULES)).toEqual([{ nativeId: 'post:1', seconds: 400 }])
  const began = { ...RULES, sinceSeconds: 450 }
  expect(advanceFlow(flowAt(500), itemsOf([449, 450]), 1000, began)).toEqual([{ nativeId: 'post:1', seconds: 450 }])
})

test('a time ahead of the clock does not move the flow past what is still to come', () => {
  const flow = flowAt(900)
  expect(advanceFlow(flow, itemsOf([5000]), 1000, RULES)).toHaveLength(1)
  expect(flowFrom(flow, RULES)).toBe(900)
})

test('ids are bounded in number and age, and survive being written down', () => {
  const flow = flowAt(0)
  advanceFlow(flow, itemsOf(Array.from({ length: 80 }, (_, at) => 100 + at)), 1000, RULES)
  expect(flow.seen.size).toBe(50)
  expect(new Map(seenEntries(flow).map(seenEntry))).toEqual(flow.seen)
  advanceFlow(flow, [{ nativeId: 'last', seconds: 900 }], 1000, RULES)
  expect([...flow.seen]).toEqual([['last', 900]])
})
