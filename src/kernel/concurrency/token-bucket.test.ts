import { expect, test } from 'vitest'
import { TokenBucket } from './token-bucket.ts'

test('after a burst of one second, tokens come in at the pace of the bucket and never add up to more', () => {
  let nowMs = 0
  const bucket = new TokenBucket(4, { monotonicMs: () => nowMs })
  const takeAll = () => Array.from({ length: 6 }, () => bucket.take()).filter(Boolean).length
  expect([bucket.isFull, bucket.waitMs]).toEqual([true, 0])
  expect(takeAll()).toBe(4)
  expect([bucket.isFull, bucket.waitMs]).toEqual([false, 250])
  nowMs += 125
  bucket.refill()
  expect([bucket.take(), bucket.waitMs]).toEqual([false, 125])
  nowMs += 125
  bucket.refill()
  expect(takeAll()).toBe(1)
  nowMs += 60_000
  bucket.refill()
  expect(bucket.isFull).toBe(true)
  expect(takeAll()).toBe(4)
})
