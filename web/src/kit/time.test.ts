import { describe, expect, test } from 'vitest'
import { formatDuration, formatExact, formatRelative, formatUtcDay } from './time.tsx'

const NOW = Date.parse('2026-11-24T09:41:00Z')
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

function relative(distanceMs: number): string {
  return formatRelative(new Date(NOW + distanceMs).toISOString(), NOW)
}

describe('formatRelative', () => {
  test('counts whole units and never rounds up', () => {
    expect(relative(-59_999)).toBe('now')
    expect(relative(-MINUTE_MS)).toBe('1 min ago')
    expect(relative(-(HOUR_MS - 1))).toBe('59 min ago')
    expect(relative(-HOUR_MS)).toBe('1 hr ago')
    expect(relative(-(DAY_MS - 1))).toBe('23 hr ago')
    expect(relative(-2 * DAY_MS)).toBe('2 days ago')
  })

  test('says how far a later time is', () => {
    expect(relative(20 * MINUTE_MS)).toBe('in 20 min')
    expect(relative(30_000)).toBe('now')
  })

  test('gives the date from a week on, with the year where the year differs', () => {
    expect(relative(-7 * DAY_MS)).toBe('17 Nov')
    expect(relative(-365 * DAY_MS)).toBe('24 Nov 2025')
    expect(relative(60 * DAY_MS)).toBe('23 Jan 2027')
  })
})

test('formatExact gives the second and the time zone', () => {
  expect(formatExact('2026-11-24T09:41:07Z')).toMatch(/^\d{1,2} Nov 2026, \d{2}:\d{2}:07 \S+$/)
})

test('formatUtcDay gives the day of the service, not of the reader', () => {
  expect(formatUtcDay('2026-11-20T23:59:59.999Z')).toBe('20 Nov 2026')
  expect(formatUtcDay(Date.parse('2026-11-21'))).toBe('21 Nov 2026')
})

test('formatDuration gives the two largest units', () => {
  const durations = [0, 64.4, 999.4, 999.6, 4249, 9999, 59_600, 200_000, HOUR_MS, 2 * DAY_MS + 4.5 * HOUR_MS]
  expect(durations.map((ms) => formatDuration(ms).replaceAll('\u00a0', ' '))).toEqual([
    '0 ms',
    '64 ms',
    '999 ms',
    '1 s',
    '4.2 s',
    '10 s',
    '1 min',
    '3 min 20 s',
    '1 h',
    '2 d 4 h',
  ])
})
