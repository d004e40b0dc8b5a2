import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS, plus } from '../../kernel/clock.ts'
import type { Schedule } from './mode.ts'
import { isTimezone, nextRunAfter, type Period, periodOf, type Timetable, timetableOf } from './schedule.ts'

/**
 * Zones whose clocks do something odd: skip or repeat hours, half hours, midnight or whole days, or stand at odd
 * offsets.
 */
const ODD_ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Pacific/Kwajalein',
  'America/Nuuk',
  'America/Scoresbysund',
  'America/St_Johns',
  'America/Caracas',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Africa/Monrovia',
  'Asia/Beirut',
  'Asia/Gaza',
  'Asia/Pyongyang',
  'Antarctica/Troll',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'America/Sao_Paulo',
  'Europe/Dublin',
]

const zone = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...ODD_ZONES) },
  { weight: 1, arbitrary: fc.constantFrom(...Intl.supportedValuesOf('timeZone')) },
)
const schedule = (weekday: fc.Arbitrary<number | null>): fc.Arbitrary<Schedule> =>
  fc.record({
    hour: fc.integer({ min: 0, max: 23 }),
    minute: fc.integer({ min: 0, max: 59 }),
    timezone: zone,
    skipEmpty: fc.boolean(),
    weekday,
  })
const daily: fc.Arbitrary<Timetable> = schedule(fc.constant(null)).map((schedule) => ({
  mode: 'daily',
  schedule: schedule,
}))
const weekly: fc.Arbitrary<Timetable> = schedule(fc.integer({ min: 0, max: 6 })).map((schedule) => ({
  mode: 'weekly',
  schedule: schedule,
}))
const hourly: fc.Arbitrary<Timetable> = fc.constant({ mode: 'hourly', schedule: null })
const instant = fc.date({ min: new Date('1975-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })

function runsFrom(timetable: Timetable, at: Date, count: number): Date[] {
  const runs: Date[] = []
  for (let last = at; runs.length < count; last = runs.at(-1)!) runs.push(nextRunAfter(timetable, last))
  return runs
}

describe('whatever the zone and its clocks do', () => {
  test('the next run is after the instant, and the same from every instant between two runs', () => {
    fc.assert(
      fc.property(
        fc.oneof(daily, weekly, hourly),
        instant,
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (timetable, at, share) => {
          const [first, second] = runsFrom(timetable, at, 2) as [Date, Date]
          expect(first > at).toBe(true)
          expect(second > first).toBe(true)
          const between = plus(first, Math.floor(share * (second.getTime() - first.getTime())))
          expect(nextRunAfter(timetable, between)).toEqual(second)
          expect(nextRunAfter(timetable, plus(first, -1))).toEqual(first)
        },
      ),
      { numRuns: 500 },
    )
  })

  test('periods follow one another without a gap or an overlap, each under a name of its own', () => {
    fc.assert(
      fc.property(fc.oneof(daily, weekly, hourly), instant, (timetable, at) => {
        const runs = runsFrom(timetable, at, 40)
        const periods = runs.map((run) => periodOf(timetable, run))
        for (const [place, period] of periods.entries()) {
          expect(period.from < period.to).toBe(true)
          expect(period.to).toEqual(timetable.mode === 'hourly' ? plus(runs[place]!, -5 * MINUTE_MS) : runs[place]!)
          if (place > 0) expect(period.from).toEqual(periods[place - 1]!.to)
        }
        const names = periods.map(({ name }) => name)
        expect(names).toEqual([...new Set(names)].sort())
      }),
      { numRuns: 80 },
    )
  })

  test('a daily rule runs once on each day that the zone has, at its time or, where the clocks skip it, within the gap after', () => {
    fc.assert(
      fc.property(daily, instant, (timetable, at) => {
        const { hour, minute, timezone } = timetable.schedule!
        const [before, ...runs] = runsFrom(timetable, at, 40) as [Date, ...Date[]]
        let last = periodOf(timetable, before).name
        for (const run of runs) {
          const { name } = periodOf(timetable, run)
          for (let day = dayAfter(last); day < name; day = dayAfter(day))
            expect([day, wasLeftOut(day, timezone)]).toEqual([day, true])
          const late = minutesOf(wallClock(run, timezone)) - minutesOf(`${name}T${two(hour)}:${two(minute)}`)
          // No clock was put forward by more than two hours, but for whole days.
          expect([name, late >= 0 && late <= 120]).toEqual([name, true])
          if (late > 0) expect(minuteBefore(run, late, timezone) < `${name}T${two(hour)}:${two(minute)}`).toBe(true)
          last = name
        }
      }),
      { numRuns: 80 },
    )
  })

  test('a weekly rule runs on its weekday, seven days of the calendar apart', () => {
    fc.assert(
      fc.property(weekly, instant, (timetable, at) => {
        const names = runsFrom(timetable, at, 10).map((run) => periodOf(timetable, run).name)
        for (const [place, name] of names.entries()) {
          expect(new Date(name).getUTCDay()).toBe(timetable.schedule!.weekday)
          if (place > 0) expect(Date.parse(name) - Date.parse(names[place - 1]!)).toBe(7 * DAY_MS)
        }
      }),
      { numRuns: 80 },
    )
  })
})

function periodsFrom(timetable: Timetable, at: string, count: number): [string, string, string][] {
  return runsFrom(timetable, new Date(at), count)
    .map((run): Period => periodOf(timetable, run))
    .map(({ from, to, name }) => [from.toISOString(), to.toISOString(), name])
}

const at = (hour: number, minute: number, timezone: string): Schedule => ({
  hour,
  minute,
  timezone,
  skipEmpty: false,
  weekday: null,
})

test.each<[string, Schedule, string, string[][]]>([
  [
    'a time that the clocks skip is made up for after the gap',
    at(2, 30, 'Europe/Berlin'),
    '2027-03-27T12:00:00Z',
    [
      ['2027-03-27T01:30:00.000Z', '2027-03-28T01:30:00.000Z', '2027-03-28'],
      ['2027-03-28T01:30:00.000Z', '2027-03-29T00:30:00.000Z', '2027-03-29'],
    ],
  ],
  [
    'of a time that comes twice the earlier counts',
    at(1, 30, 'America/New_York'),
    '2026-10-31T12:00:00Z',
    [
      ['2026-10-31T05:30:00.000Z', '2026-11-01T05:30:00.000Z', '2026-11-01'],
      ['2026-11-01T05:30:00.000Z', '2026-11-02T06:30:00.000Z', '2026-11-02'],
    ],
  ],
  [
    'a run that is put off over midnight keeps the name of its own day',
    at(23, 30, 'America/Nuuk'),
    '2027-03-27T12:00:00Z',
    [
      ['2027-03-27T01:30:00.000Z', '2027-03-28T01:30:00.000Z', '2027-03-27'],
      ['2027-03-28T01:30:00.000Z', '2027-03-29T00:30:00.000Z', '2027-03-28'],
    ],
  ],
  [
    'a day that a zone leaves out has no run, and nothing is lost',
    at(9, 0, 'Pacific/Apia'),
    '2011-12-29T00:00:00Z',
    [
      ['2011-12-28T19:00:00.000Z', '2011-12-29T19:00:00.000Z', '2011-12-29'],
      ['2011-12-29T19:00:00.000Z', '2011-12-30T19:00:00.000Z', '2011-12-31'],
    ],
  ],
])('%s', (_, daily, from, periods) => {
  expect(periodsFrom({ mode: 'daily', schedule: daily }, from, 2)).toEqual(periods)
})

test('hourly rules run five minutes past each hour of UTC and are about the hour before', () => {
  const timetable: Timetable = { mode: 'hourly', schedule: null }
  expect(nextRunAfter(timetable, new Date('2026-11-22T06:04:59.999Z'))).toEqual(new Date('2026-11-22T06:05:00Z'))
  expect(nextRunAfter(timetable, new Date('2026-11-22T06:05:00Z'))).toEqual(new Date('2026-11-22T07:05:00Z'))
  expect(periodOf(timetable, new Date('2027-01-01T00:05:00Z'))).toEqual({
    mode: 'hourly',
    from: new Date('2026-12-31T23:00:00Z'),
    to: new Date('2027-01-01T00:00:00Z'),
    timezone: 'UTC',
    name: 'h:2026-12-31T23',
  })
})

test('an instant rule has no timetable, an hourly one no schedule, and the others must have one', () => {
  const schedule = at(9, 0, 'UTC')
  expect(timetableOf({ mode: 'instant', schedule: null })).toBeNull()
  expect(timetableOf({ mode: 'hourly', schedule: null })).toEqual({ mode: 'hourly', schedule: null })
  expect(timetableOf({ mode: 'daily', schedule })).toEqual({ mode: 'daily', schedule })
  expect(() => timetableOf({ mode: 'daily', schedule: null })).toThrow('no schedule')
})

test('a weekly rule without a weekday is an error and not an endless search', () => {
  expect(() => nextRunAfter({ mode: 'weekly', schedule: at(9, 0, 'UTC') }, new Date(0))).toThrow('no run')
})

test('every zone of the platform can be told runs in, by whatever name is taken', () => {
  for (const name of [
    ...Intl.supportedValuesOf('timeZone'),
    'europe/berlin',
    'EST5EDT',
    'Asia/Kathmandu',
    'Asia/Katmandu',
    'Etc/GMT+5',
    'utc',
    'Zulu',
  ]) {
    expect([name, isTimezone(name)]).toEqual([name, true])
    nextRunAfter({ mode: 'daily', schedule: at(9, 0, name) }, new Date('2026-11-22T00:00:00Z'))
  }
  for (const name of [
    '',
    ' ',
    '+02:00',
    '-0500',
    'Europe/Nowhere',
    'AST',
    'Factory',
    'Europe/Berlin ',
    'Europe/Berlin\0',
    '2026-11-22T00:00[UTC]',
    'a'.repeat(5000),
  ])
    expect([name, isTimezone(name)]).toEqual([name, false])
})

// What the clocks on the wall show, asked of the platform's own calendar instead of the one under test.

const clocks = new Map<string, Intl.DateTimeFormat>()

/** YYYY-MM-DDTHH:MM. */
function wallClock(instant: Date, timezone: string): string {
  const known = clocks.get(timezone)
  const clock =
    known ??
    new Intl.DateTimeFormat('en-US', {
      timeZone: timezone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    })
  clocks.set(timezone, clock)
  const parts = Object.fromEntries(clock.formatToParts(instant).map(({ type, value }) => [type, value]))
  return `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}`
}

/** The wall clock right before the gap into which a run that is `late` minutes late fell. */
function minuteBefore(run: Date, late: number, timezone: string): string {
  return wallClock(plus(run, -late * MINUTE_MS - MINUTE_MS), timezone)
}

function wasLeftOut(day: string, timezone: string): boolean {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  const shown = Array.from({ length: 75 }, (_, hour) =>
    wallClock(new Date(midnight + (hour - 26) * HOUR_MS), timezone).slice(0, 10),
  )
  return !shown.includes(day)
}

function minutesOf(wall: string): number {
  return Date.parse(`${wall}:00Z`) / MINUTE_MS
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}

function dayAfter(day: string): string {
  return plus(new Date(day), DAY_MS).toISOString().slice(0, 10)
}
