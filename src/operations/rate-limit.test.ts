import { expect, test } from 'vitest'
import { createTestClock } from '../../test/clock.ts'
import { HOUR_MS, MINUTE_MS } from '../kernel/clock.ts'
import { createRateLimits } from './rate-limit.ts'

test('as many requests as allowed are granted in a minute, and no more', () => {
  const limits = createRateLimits(createTestClock())
  const granted = Array.from({ length: 5 }, () => limits.take('a', 3).granted)
  expect(granted).toEqual([true, true, true, false, false])
})

test('callers and operations are counted apart', () => {
  const limits = createRateLimits(createTestClock())
  expect(limits.take('a', 1).granted).toBe(true)
  expect(limits.take('b', 1).granted).toBe(true)
  expect(limits.take('a', 1).granted).toBe(false)
})

test('what is left and when it turns are told', async () => {
  const clock = createTestClock(new Date('2026-11-20T09:30:15.500Z'))
  const limits = createRateLimits(clock)
  expect(limits.take('a', 2)).toEqual({ granted: true, limit: 2, remaining: 1, resetAt: Date.parse('2026-11-20T09:31:00Z') / 1000, retryAfterSeconds: 45 })
  await clock.advance(44_499)
  expect(limits.take('a', 2)).toMatchObject({ granted: true, remaining: 0, retryAfterSeconds: 1 })
  expect(limits.take('a', 2)).toMatchObject({ granted: false, remaining: 0 })
  await clock.advance(1)
  expect(limits.take('a', 2)).toMatchObject({ granted: true, remaining: 1, retryAfterSeconds: 60 })
})

test('what is given back can be taken again, within its minute', async () => {
  const clock = createTestClock()
  const limits = createRateLimits(clock)
  const [first] = [limits.take('a', 2), limits.take('a', 2)]
  expect(limits.take('a', 2).granted).toBe(false)
  limits.giveBack('a', first!)
  expect([limits.take('a', 2), limits.take('a', 2)].map(({ granted }) => granted)).toEqual([true, false])
  await clock.advance(MINUTE_MS)
  limits.take('a', 2)
  limits.giveBack('a', first!)
  expect([limits.take('a', 2), limits.take('a', 2)].map(({ granted }) => granted)).toEqual([true, false])
})

test('a clock that is set back does not lock anybody out', () => {
  const clock = createTestClock()
  const limits = createRateLimits(clock)
  limits.take('a', 1)
  clock.set(new Date(clock.now().getTime() - 10 * MINUTE_MS))
  expect(limits.take('a', 1).granted).toBe(true)
})

test('windows of different lengths are counted apart', async () => {
  const clock = createTestClock(new Date('2026-11-20T09:30:15.500Z'))
  const limits = createRateLimits(clock)
  expect(limits.take('a', 1, HOUR_MS)).toEqual({
    granted: true,
    limit: 1,
    remaining: 0,
    resetAt: Date.parse('2026-11-20T10:00:00Z') / 1000,
    retryAfterSeconds: 1785,
  })
  expect(limits.take('a', 1).granted).toBe(true)
  await clock.advance(29 * MINUTE_MS)
  expect([limits.take('a', 1).granted, limits.take('a', 1, HOUR_MS).granted]).toEqual([true, false])
  await clock.advance(MINUTE_MS)
  expect(limits.take('a', 1, HOUR_MS).granted).toBe(true)
})
