import { expect, test } from 'vitest'
import { createTestClock } from '../../../test/clock.ts'
import { randomFrom } from '../../../test/random.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'
import { MemoryLimits } from './memory-limits.ts'

test('as many requests as allowed are granted in a minute, and no more', () => {
  const limits = new MemoryLimits(createTestClock())
  const granted = Array.from({ length: 5 }, () => limits.take('a', 3).granted)
  expect(granted).toEqual([true, true, true, false, false])
})

test('callers and operations are counted apart', () => {
  const limits = new MemoryLimits(createTestClock())
  expect(limits.take('a', 1).granted).toBe(true)
  expect(limits.take('b', 1).granted).toBe(true)
  expect(limits.take('a', 1).granted).toBe(false)
})

test('a full minute of the clock does not let twice as many through', async () => {
  const clock = createTestClock(new Date('2026-11-20T09:30:59.000Z'))
  const limits = new MemoryLimits(clock)
  const granted = () => Array.from({ length: 700 }, () => limits.take('a', 600).granted).filter(Boolean).length
  expect(granted()).toBe(600)
  await clock.advance(2 * SECOND_MS)
  expect(granted()).toBe(0)
})

test('no span of a minute sees more than the limit, however requests come, and nearly all that fits is granted', async () => {
  const clock = createTestClock()
  const limits = new MemoryLimits(clock)
  const random = randomFrom(7)
  const grantedAt: number[] = []
  const exact: number[] = []
  for (let asked = 0; asked < 6000; asked += 1) {
    const nowMs = clock.monotonicMs()
    if (limits.take('a', 40).granted) grantedAt.push(nowMs)
    if (exact.length < 40 || exact.at(-40)! + MINUTE_MS <= nowMs) exact.push(nowMs)
    await clock.advance(Math.floor(random() * (random() < 0.05 ? 20_000 : 400)))
  }
  const spans = grantedAt.map((from) => grantedAt.filter((at) => at >= from && at < from + MINUTE_MS).length)
  expect(Math.max(...spans)).toBe(40)
  expect(grantedAt.length).toBeGreaterThan(exact.length * 0.95)
})

test('what is left, when the next is granted and when all is free again are told', async () => {
  const clock = createTestClock(new Date('2026-11-20T09:30:15.500Z'))
  const limits = new MemoryLimits(clock)
  expect(limits.take('a', 2)).toMatchObject({
    granted: true,
    limit: 2,
    remaining: 1,
    resetAt: Date.parse('2026-11-20T09:31:16Z') / 1000,
  })
  await clock.advance(20_000)
  expect(limits.take('a', 2)).toMatchObject({
    granted: true,
    remaining: 0,
    resetAt: Date.parse('2026-11-20T09:31:36Z') / 1000,
    retryAfterSeconds: 40,
  })
  await clock.advance(39_999)
  expect(limits.take('a', 2)).toMatchObject({ granted: false, remaining: 0, retryAfterSeconds: 1 })
  await clock.advance(1)
  expect(limits.take('a', 2)).toMatchObject({ granted: true, remaining: 0, retryAfterSeconds: 20 })
})

test('what is given back can be taken again, as long as it counts', async () => {
  const clock = createTestClock()
  const limits = new MemoryLimits(clock)
  const [first] = [limits.take('a', 2), limits.take('a', 2)]
  expect(limits.take('a', 2).granted).toBe(false)
  limits.giveBack('a', first!)
  expect([limits.take('a', 2), limits.take('a', 2)].map(({ granted }) => granted)).toEqual([true, false])
  await clock.advance(MINUTE_MS)
  limits.take('a', 2)
  limits.giveBack('a', first!)
  expect([limits.take('a', 2), limits.take('a', 2)].map(({ granted }) => granted)).toEqual([true, false])
})

test('a clock that is set back locks nobody out', async () => {
  const clock = createTestClock()
  const limits = new MemoryLimits(clock)
  limits.take('a', 1)
  clock.set(new Date(clock.now().getTime() - 10 * MINUTE_MS))
  await clock.advance(MINUTE_MS)
  expect(limits.take('a', 1).granted).toBe(true)
})

test('a window may be longer than a minute', async () => {
  const clock = createTestClock(new Date('2026-11-20T09:30:15.500Z'))
  const limits = new MemoryLimits(clock, HOUR_MS)
  expect(limits.take('a', 1)).toMatchObject({
    granted: true,
    remaining: 0,
    resetAt: Date.parse('2026-11-20T10:30:16Z') / 1000,
  })
  await clock.advance(59 * MINUTE_MS)
  expect(limits.take('a', 1).granted).toBe(false)
  await clock.advance(MINUTE_MS)
  expect(limits.take('a', 1).granted).toBe(true)
})

test('who asks on is not forgotten when very many others ask once', () => {
  const limits = new MemoryLimits(createTestClock())
  limits.take('a', 3)
  limits.take('a', 3)
  for (let other = 0; other < 120_000; other += 1) {
    limits.take(`other ${other}`, 3)
    if (other === 40_000) limits.take('a', 3)
    if (other > 40_000 && other % 20_000 === 0) expect(limits.take('a', 3).granted).toBe(false)
  }
})
