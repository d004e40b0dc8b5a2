import { describe, expect, test } from 'vitest'
import { isRefusal } from '../refusal/refusal.ts'
import type { AlertMode, Schedule } from './mode.ts'
import { nextRunOf, runsLike, scheduleFor, scheduleForMode } from './rule-schedule.ts'

const DAILY: Schedule = { hour: 9, minute: 30, timezone: 'Europe/Berlin', skipEmpty: false, weekday: null }
const WEEKLY: Schedule = { ...DAILY, weekday: 0 }

describe('the schedule of a mode', () => {
  test.each<[AlertMode, Schedule | null]>([
    ['instant', null],
    ['hourly', null],
    ['daily', DAILY],
    ['weekly', WEEKLY],
  ])('%s takes what it needs', (mode, schedule) => {
    expect(scheduleFor(mode, schedule)).toBe(schedule)
  })

  test.each<[AlertMode, Schedule | null, string]>([
    ['instant', DAILY, 'schedule: must be null: instant rules have none'],
    ['hourly', WEEKLY, 'schedule: must be null: hourly rules have none'],
    ['daily', null, 'schedule: is required for daily rules'],
    ['weekly', null, 'schedule: is required for weekly rules'],
    ['daily', WEEKLY, 'schedule.weekday: must be null: only weekly rules have one'],
    ['weekly', DAILY, 'schedule.weekday: is required for weekly rules'],
    [
      'daily',
      { ...DAILY, timezone: 'Europe/Nowhere' },
      'schedule.timezone: must be the name of a time zone, such as Europe/Berlin',
    ],
  ])('%s refuses %j by naming the field', (mode, schedule, message) => {
    const refusal = scheduleFor(mode, schedule)
    expect(isRefusal(refusal) && [refusal.code, refusal.message]).toEqual(['validation_error', message])
  })
})

test('a mode keeps of a schedule what it has a use for', () => {
  expect(scheduleForMode('instant', WEEKLY)).toBeNull()
  expect(scheduleForMode('hourly', WEEKLY)).toBeNull()
  expect(scheduleForMode('daily', WEEKLY)).toEqual(DAILY)
  expect(scheduleForMode('weekly', WEEKLY)).toEqual(WEEKLY)
  expect(scheduleForMode('daily', null)).toBeNull()
})

test('only a rule that is on and sends digests runs', () => {
  const at = new Date('2026-11-22T06:04:00Z')
  expect(nextRunOf({ enabled: true, mode: 'instant', schedule: null }, at)).toBeNull()
  expect(nextRunOf({ enabled: false, mode: 'daily', schedule: DAILY }, at)).toBeNull()
  expect(nextRunOf({ enabled: true, mode: 'hourly', schedule: null }, at)).toEqual(new Date('2026-11-22T06:05:00Z'))
  expect(nextRunOf({ enabled: true, mode: 'daily', schedule: DAILY }, at)).toEqual(new Date('2026-11-22T08:30:00Z'))
})

test('rules run alike whatever they skip, and differ by everything else', () => {
  const rule = { enabled: true, mode: 'weekly' as const, schedule: WEEKLY }
  expect(runsLike(rule, { ...rule, schedule: { ...WEEKLY, skipEmpty: true } })).toBe(true)
  expect(runsLike(rule, { ...rule, enabled: false })).toBe(false)
  for (const change of [{ hour: 10 }, { minute: 0 }, { timezone: 'UTC' }, { weekday: 1 }])
    expect(runsLike(rule, { ...rule, schedule: { ...WEEKLY, ...change } })).toBe(false)
  expect(runsLike(rule, { enabled: true, mode: 'hourly', schedule: null })).toBe(false)
  expect(
    runsLike({ enabled: true, mode: 'instant', schedule: null }, { enabled: true, mode: 'instant', schedule: null }),
  ).toBe(true)
})
