import { describe, expect, test } from 'vitest'
import { DAY_MS, dayOf, dayStart, monthStart, nextMonthStart, plus, systemClock } from './clock.ts'

test.each([
  [
    '2026-11-20T09:30:00.000Z',
    '2026-11-20',
    '2026-11-20T00:00:00.000Z',
    '2026-11-01T00:00:00.000Z',
    '2026-12-01T00:00:00.000Z',
  ],
  [
    '2026-12-31T23:59:59.999Z',
    '2026-12-31',
    '2026-12-31T00:00:00.000Z',
    '2026-12-01T00:00:00.000Z',
    '2027-01-01T00:00:00.000Z',
  ],
  [
    '2027-01-01T00:00:00.000Z',
    '2027-01-01',
    '2027-01-01T00:00:00.000Z',
    '2027-01-01T00:00:00.000Z',
    '2027-02-01T00:00:00.000Z',
  ],
  [
    '2028-02-29T12:00:00.000Z',
    '2028-02-29',
    '2028-02-29T00:00:00.000Z',
    '2028-02-01T00:00:00.000Z',
    '2028-03-01T00:00:00.000Z',
  ],
])('the calendar of %s is that of UTC', (at, day, start, month, next) => {
  const date = new Date(at)
  expect([
    dayOf(date),
    dayStart(date).toISOString(),
    monthStart(date).toISOString(),
    nextMonthStart(date).toISOString(),
  ]).toEqual([day, start, month, next])
})

test('plus moves both ways and leaves what it was given', () => {
  const at = new Date(DAY_MS)
  expect([plus(at, 1).getTime(), plus(at, -1).getTime(), at.getTime()]).toEqual([DAY_MS + 1, DAY_MS - 1, DAY_MS])
})

describe('a wait of the system clock', () => {
  test('ends at once, without an error, when its signal is or gets aborted', async () => {
    await systemClock.wait(DAY_MS, AbortSignal.abort())
    const controller = new AbortController()
    const waiting = systemClock.wait(DAY_MS, controller.signal)
    controller.abort()
    expect(await waiting).toBeUndefined()
  })

  test('takes its time', async () => {
    const before = systemClock.monotonicMs()
    await systemClock.wait(20)
    expect(systemClock.monotonicMs() - before).toBeGreaterThanOrEqual(19)
  })
})

describe('an alarm of the system clock', () => {
  test('rings once, when its time has come', async () => {
    const before = systemClock.monotonicMs()
    let rung = 0
    await new Promise<void>((resolve) => {
      systemClock.alarm(20, () => {
        rung += 1
        resolve()
      })
    })
    expect(systemClock.monotonicMs() - before).toBeGreaterThanOrEqual(19)
    await systemClock.wait(30)
    expect(rung).toBe(1)
  })

  test('stays silent once it is put off, also when that is said twice', async () => {
    let rung = 0
    const putOff = systemClock.alarm(10, () => {
      rung += 1
    })
    putOff()
    putOff()
    await systemClock.wait(30)
    expect(rung).toBe(0)
  })
})
