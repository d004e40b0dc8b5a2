import { expect, test } from 'vitest'
import { firstSchedule, ownZone, readTime, type Schedule, scheduleInWords, timeOf, WEEKDAYS } from './schedule.ts'

const MORNING: Schedule = { hour: 9, minute: 5, timezone: 'Europe/Berlin', skipEmpty: false, weekday: null }

test('weekdays are numbered as in the API', () => {
  expect(WEEKDAYS[0]).toBe('Sunday')
  expect(WEEKDAYS[6]).toBe('Saturday')
})

test('a schedule in words names the time zone where it is not that of the reader', () => {
  expect(scheduleInWords({ mode: 'instant', schedule: null })).toBe('At once')
  expect(scheduleInWords({ mode: 'daily', schedule: MORNING }, 'Europe/Berlin')).toBe('Every day at 09:05')
  expect(scheduleInWords({ mode: 'weekly', schedule: { ...MORNING, weekday: 1 } }, 'UTC')).toBe(
    'Every Monday at 09:05, Europe/Berlin',
  )
})

test('a field of time holds hour and minute', () => {
  expect(timeOf(MORNING)).toBe('09:05')
  expect(readTime('09:05')).toEqual({ hour: 9, minute: 5 })
  expect(readTime('')).toBeNull()
})

test('a mode brings the schedule that it needs', () => {
  expect(firstSchedule('instant', MORNING)).toBeNull()
  expect(firstSchedule('hourly', MORNING)).toBeNull()
  expect(firstSchedule('daily', null)).toMatchObject({ hour: 9, minute: 0, timezone: ownZone(), weekday: null })
  expect(firstSchedule('weekly', MORNING)).toEqual({ ...MORNING, weekday: 1 })
  expect(firstSchedule('daily', { ...MORNING, weekday: 3 })).toEqual(MORNING)
})
