import { expect, test } from 'vitest'
import { caughtUpAt } from './latencies.ts'

const late = (postedMs: number, arrivedMs: number) => ({ postedMs, arrivedMs })

test('a disturbance without late mentions is caught up with at once', () => {
  expect(caughtUpAt(1000, [])).toBe(1000)
})

test('a disturbance lasts until the last of the late mentions that follow each other', () => {
  expect(caughtUpAt(1000, [late(900, 21_000), late(12_000, 15_000), late(30_000, 33_000)])).toBe(33_000)
})

test('a late mention that comes long after all was in time again is none of its doing', () => {
  expect(caughtUpAt(1000, [late(900, 21_000), late(31_001, 34_000)])).toBe(21_000)
})
