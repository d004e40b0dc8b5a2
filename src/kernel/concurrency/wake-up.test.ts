import { describe, expect, test } from 'vitest'
import { createTestClock } from '../../../test/clock.ts'
import { WakeUp } from './wake-up.ts'

const never = new AbortController().signal

describe('a wake-up', () => {
  test('ends the present sleep and leaves no wait behind', async () => {
    const clock = createTestClock()
    const wakeUp = new WakeUp(clock)
    const sleep = wakeUp.sleep(5000, never)
    expect(clock.waits).toBe(1)
    wakeUp.wake()
    await sleep
    expect(clock.waits).toBe(0)
  })

  test('that came while nobody slept ends the next sleep at once, and only that one', async () => {
    const clock = createTestClock()
    const wakeUp = new WakeUp(clock)
    wakeUp.wake()
    await wakeUp.sleep(5000, never)
    void wakeUp.sleep(5000, never)
    expect(clock.waits).toBe(1)
  })

  test('is forgotten by whoever looks before sleeping', () => {
    const clock = createTestClock()
    const wakeUp = new WakeUp(clock)
    wakeUp.wake()
    wakeUp.clear()
    void wakeUp.sleep(5000, never)
    expect(clock.waits).toBe(1)
  })

  test('lets a sleeper go when the time is over or the signal is aborted', async () => {
    const clock = createTestClock()
    const wakeUp = new WakeUp(clock)
    const timed = wakeUp.sleep(5000, never)
    await clock.advance(5000)
    await timed
    const ending = new AbortController()
    const cut = wakeUp.sleep(5000, ending.signal)
    ending.abort()
    await cut
    await wakeUp.sleep(5000, ending.signal)
    expect(clock.waits).toBe(0)
  })
})
