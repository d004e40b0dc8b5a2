import { expect, test } from 'vitest'
import { createTestClock } from '../../../test/clock.ts'
import { TimeUp, withinTime } from './time-limit.ts'

const never = () => new Promise<never>(() => undefined)

test('work that is done in time is answered and leaves no wait behind', async () => {
  const clock = createTestClock()
  expect(await withinTime({ clock, limitMs: 1000 }, async () => 'done')).toBe('done')
  await expect(withinTime({ clock, limitMs: 1000 }, () => Promise.reject(new Error('went wrong')))).rejects.toThrow(
    'went wrong',
  )
  expect(clock.waits).toBe(0)
})

test('work that takes too long is told so and is not waited for, whether or not it listens', async () => {
  const clock = createTestClock()
  let told: unknown
  const slow = withinTime({ clock, limitMs: 1000 }, (signal) => {
    signal.addEventListener('abort', () => {
      told = signal.reason
    })
    return never()
  })
  const outcome = slow.catch((error: unknown) => error)
  await clock.advance(999)
  expect(told).toBeUndefined()
  await clock.advance(1)
  expect(await outcome).toBeInstanceOf(TimeUp)
  expect(told).toBeInstanceOf(TimeUp)
})

test('an abort ends the work with its own reason', async () => {
  const clock = createTestClock()
  const gone = new AbortController()
  const outcome = withinTime({ clock, limitMs: 1000, signal: gone.signal }, never).catch((error: unknown) => error)
  gone.abort(new Error('the caller has gone'))
  expect(await outcome).toMatchObject({ message: 'the caller has gone' })
  expect(clock.waits).toBe(0)
  await expect(withinTime({ clock, limitMs: 1000, signal: gone.signal }, never)).rejects.toThrow('the caller has gone')
})
