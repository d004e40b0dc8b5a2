import { describe, expect, it } from 'vitest'
import { createTestClock } from '../../test/clock.ts'
import { createBell } from './bell.ts'

const never = new AbortController().signal

describe('a bell', () => {
  it('ends the present sleep and leaves no wait behind', async () => {
    const clock = createTestClock()
    const bell = createBell(clock)
    const sleep = bell.sleep(5000, never)
    expect(clock.waits).toBe(1)
    bell.ring()
    await sleep
    expect(clock.waits).toBe(0)
  })

  it('that rang while nobody slept ends the next sleep at once, and only that one', async () => {
    const clock = createTestClock()
    const bell = createBell(clock)
    bell.ring()
    await bell.sleep(5000, never)
    void bell.sleep(5000, never)
    expect(clock.waits).toBe(1)
  })

  it('is forgotten by whoever looks before sleeping', () => {
    const clock = createTestClock()
    const bell = createBell(clock)
    bell.ring()
    bell.hush()
    void bell.sleep(5000, never)
    expect(clock.waits).toBe(1)
  })

  it('lets a sleeper go when the time is over or the signal is aborted', async () => {
    const clock = createTestClock()
    const bell = createBell(clock)
    const timed = bell.sleep(5000, never)
    await clock.advance(5000)
    await timed
    const ending = new AbortController()
    const cut = bell.sleep(5000, ending.signal)
    ending.abort()
    await cut
    await bell.sleep(5000, ending.signal)
    expect(clock.waits).toBe(0)
  })
})
