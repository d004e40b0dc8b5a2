import { expect, test } from 'vitest'
import { createTestClock } from '../../../test/clock.ts'
import { waitAtMost } from './wait-at-most.ts'

test('ends with the promise and leaves no wait behind', async () => {
  const clock = createTestClock()
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  const waiting = waitAtMost(promise, 5000, clock)
  expect(clock.waits).toBe(1)
  resolve()
  expect(await waiting).toBe(true)
  expect(clock.waits).toBe(0)
})

test('ends after its time, or when the signal is aborted', async () => {
  const clock = createTestClock()
  const never = new Promise<void>(() => undefined)
  const timed = waitAtMost(never, 5000, clock)
  await clock.advance(5000)
  expect(await timed).toBe(false)
  const ending = new AbortController()
  const cut = waitAtMost(never, 5000, clock, ending.signal)
  ending.abort()
  expect(await cut).toBe(false)
  expect(clock.waits).toBe(0)
})

test('fails with the promise', async () => {
  await expect(waitAtMost(Promise.reject(new Error('gone')), 5000, createTestClock())).rejects.toThrow('gone')
})
