import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS, plus } from '../../kernel/clock.ts'
import { nextRunAfter, type Timetable } from '../alert/schedule.ts'
import {
  type DigestProgress,
  digestWindow,
  lastRun,
  MADE_UP_FOR_MS,
  progressFrom,
  runToSend,
  SCORE_WAIT_MAX_MS,
  SCORED_WITHIN_MS,
} from './due-digest.ts'

const HOURLY: Timetable = { mode: 'hourly', schedule: null }
const at9: Timetable = {
  mode: 'daily',
  schedule: { hour: 9, minute: 0, timezone: 'UTC', skipEmpty: false, weekday: null },
}

const timetable: fc.Arbitrary<Timetable> = fc
  .record({
    mode: fc.constantFrom('hourly' as const, 'daily' as const, 'weekly' as const),
    hour: fc.nat(23),
    minute: fc.nat(59),
    timezone: fc.constantFrom(
      'UTC',
      'Europe/Berlin',
      'America/New_York',
      'Australia/Lord_Howe',
      'Pacific/Apia',
      'Pacific/Kwajalein',
      'Africa/Cairo',
    ),
    weekday: fc.nat(6),
  })
  .map(({ mode, weekday, ...rest }): Timetable => {
    if (mode === 'hourly') return HOURLY
    return { mode, schedule: { ...rest, skipEmpty: false, weekday: mode === 'weekly' ? weekday : null } }
  })
const instant = fc.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })

test('the last run is due by now, and none comes between it and now', () => {
  fc.assert(
    fc.property(timetable, instant, (timetable, at) => {
      const { dueAt, period } = lastRun(timetable, at)
      expect(dueAt <= at).toBe(true)
      expect(nextRunAfter(timetable, dueAt) > at).toBe(true)
      expect(period.to <= dueAt).toBe(true)
    }),
    { numRuns: 150 },
  )
})

test.each([
  ['at its run', '2026-11-20T09:00:00.000Z', '2026-11-20'],
  ['six hours later', '2026-11-20T15:00:00.000Z', '2026-11-20'],
  ['just after that', '2026-11-20T15:00:00.001Z', undefined],
  ['right before the next', '2026-11-21T08:59:59.999Z', undefined],
  ['at the next', '2026-11-21T09:00:00.000Z', '2026-11-21'],
])('whoever comes to a daily rule %s sends the digest of that day, or none', (_, at, name) => {
  expect(runToSend(at9, new Date(at))?.period.name).toBe(name)
})

test('whoever comes to an hourly rule that was due many times sends the last hour alone', () => {
  expect(runToSend(HOURLY, new Date('2026-11-20T17:04:00.000Z'))?.period.name).toBe('h:2026-11-20T15')
  expect(runToSend(HOURLY, new Date('2026-11-20T17:05:00.000Z'))?.period.name).toBe('h:2026-11-20T16')
})

const day = { from: new Date('2026-11-19T09:00:00.000Z'), to: new Date('2026-11-20T09:00:00.000Z') }
const longAgo = plus(day.from, -90 * DAY_MS)
const progress = (toldUntil: Date, matchedSince = plus(toldUntil, -SCORED_WITHIN_MS)): DigestProgress => ({
  begunAt: longAgo,
  toldUntil,
  matchedSince,
})

test('the first digest tells of what was scored since the rule began, with matches that waited up to a day for their score', () => {
  const begunAt = plus(day.to, -HOUR_MS)
  expect(digestWindow(day.to, progressFrom(begunAt))).toEqual({
    from: begunAt,
    to: day.to,
    scoredFrom: begunAt,
    matchedFrom: plus(begunAt, -SCORE_WAIT_MAX_MS),
  })
})

test('a digest goes on where the one before ended, be that earlier or later than its period begins', () => {
  for (const toldUntil of [day.from, plus(day.from, -HOUR_MS), plus(day.from, HOUR_MS), plus(day.to, -MADE_UP_FOR_MS)])
    expect(digestWindow(day.to, progress(toldUntil))).toMatchObject({ from: toldUntil, to: day.to })
  expect(digestWindow(day.to, progress(day.from)).scoredFrom).toEqual(plus(day.from, -SCORED_WITHIN_MS))
})

test('what was scored more than three weeks before is left out', () => {
  const oldest = plus(day.to, -21 * DAY_MS)
  expect(digestWindow(day.to, progress(plus(oldest, -1)))).toMatchObject({ from: oldest, scoredFrom: oldest })
})

test('where all is told already the window is empty and looks at nothing', () => {
  const window = digestWindow(day.to, progress(plus(day.to, 3 * MINUTE_MS)))
  expect(window).toMatchObject({ from: day.to, to: day.to })
  expect(window.scoredFrom > window.to).toBe(true)
})

test('a match that waits for its score for ever does not make every later digest look back to it', () => {
  const window = digestWindow(day.to, progress(day.from, plus(day.from, -30 * DAY_MS)))
  expect(window.matchedFrom).toEqual(plus(day.from, -SCORE_WAIT_MAX_MS))
})
