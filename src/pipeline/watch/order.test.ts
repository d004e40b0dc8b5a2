import { expect, test } from 'vitest'
import { createTestClock } from '../../../test/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { ChangeGate, KeywordOrder } from './order.ts'

const ID = '01a1f84a-95c0-7012-9599-36c3e074cd59' as Uuid

test('a change that was put in place during a sweep is left alone by it, until the sweep ends', () => {
  const order = new KeywordOrder()
  order.noteFresh(ID)
  order.beginSweep()
  expect(order.isFresh(ID)).toBe(false)
  order.noteFresh(ID)
  expect(order.isFresh(ID)).toBe(true)
  order.endSweep()
  expect(order.isFresh(ID)).toBe(false)
})

test('a reading is overtaken by a sweep that read later and came first, not by one that read before', () => {
  const order = new KeywordOrder()
  const [before, change, after] = [order.sent(), order.sent(), order.sent()]
  order.noteSwept(before)
  expect(order.isOvertaken(change)).toBe(false)
  order.noteSwept(after)
  order.noteSwept(before)
  expect(order.isOvertaken(change)).toBe(true)
  expect(order.isOvertaken(order.sent())).toBe(false)
})

test('nobody passes while the gate is closed, and the gate knows for how long somebody has waited', async () => {
  const clock = createTestClock()
  const gate = new ChangeGate(clock)
  await gate.pass()
  gate.close()
  await clock.advance(50)
  expect(gate.waitingMs()).toBe(0)
  let passed = 0
  const passing = [gate.pass(), gate.pass()].map(async (pass) => {
    await pass
    passed += 1
  })
  await clock.advance(70)
  expect(passed).toBe(0)
  expect(gate.waitingMs()).toBe(70)
  gate.open()
  await Promise.all(passing)
  expect(passed).toBe(2)
  expect(gate.waitingMs()).toBe(0)
})
