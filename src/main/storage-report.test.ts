import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useWorld } from '../../test/use-world.ts'
import { forecastDisk } from '../domain/storage/disk-forecast.ts'
import { DAY_MS, HOUR_MS, plus } from '../kernel/clock.ts'
import { noteDatabaseSize, readSizes } from '../store/retention/database-size.ts'
import { readDiskForecast } from './disk-use.ts'
import { storageReport } from './storage-report.ts'

const world = useWorld()
const NOW = new Date('2026-11-20T12:00:00Z')
const GB = 1e9
const before = (days: number, bytes: number) => ({ at: plus(NOW, -days * DAY_MS), bytes, freeBytes: null })
const now = (bytes: number, freeBytes: number | null) => ({ at: NOW, bytes, freeBytes })
const KEPT = { mentionDays: null, deliveryDays: 30 }

test('the growth of the last seven days says how many days are left', () => {
  const samples = [before(10, 0), before(6, 10 * GB), before(2, 11 * GB)]
  const forecast = forecastDisk(samples, now(16 * GB, 13.5 * GB))
  expect(forecast).toEqual({ bytes: 16 * GB, bytesPerDay: GB, freeBytes: 13.5 * GB, daysLeft: 13 })
  expect(storageReport(KEPT, forecast)).toEqual({
    rows: expect.arrayContaining([
      ['growth', '1000.0 MB a day'],
      ['days left', '13'],
    ]),
    wrong: ['The disk of the database is full in 13 days at the present growth. Add space, or set MENTIONS_KEPT_DAYS.'],
  })
  expect(storageReport(KEPT, forecastDisk(samples, now(16 * GB, 14 * GB))).wrong).toEqual([])
})

test.each([
  ['there is no sample', []],
  ['the samples cover less than a day', [before(0.9, GB)]],
  ['every sample is older than a week', [before(8, GB)]],
])('nothing is forecast while %s', (_, samples) => {
  expect(forecastDisk(samples, now(2 * GB, GB))).toMatchObject({ bytesPerDay: null, daysLeft: null })
})

test('a database that shrinks, or whose disk is not seen, has no days left', () => {
  expect(forecastDisk([before(2, 3 * GB)], now(2 * GB, GB))).toMatchObject({ bytesPerDay: 0, daysLeft: null })
  const remote = forecastDisk([before(2, GB)], now(2 * GB, null))
  expect(remote).toMatchObject({ bytesPerDay: GB / 2, daysLeft: null })
  expect(storageReport(KEPT, remote)).toMatchObject({ rows: expect.arrayContaining([['days left', '-']]), wrong: [] })
})

test('samples are kept for two weeks', async () => {
  const begun = world.clock.now()
  for (let hours = 0; hours <= 24 * 20; hours += 6)
    await world.db.transaction((tx) =>
      noteDatabaseSize(tx, { at: plus(begun, hours * HOUR_MS), bytes: hours, freeBytes: null }),
    )
  const samples = await readSizes(world.db)
  expect(samples[0]).toEqual({ at: plus(begun, 6 * DAY_MS), bytes: 144, freeBytes: null })
  expect(samples).toHaveLength(14 * 4 + 1)
})

test('the volume of the embedded database is looked at, and that of another server is not', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'earshot-disk-'))
  mkdirSync(join(dataDir, 'database'))
  const of = (databaseUrl: string | null) => readDiskForecast({ dataDir, databaseUrl }, world)
  const embedded = await of(null)
  expect(embedded.bytes).toBeGreaterThan(1e6)
  expect(embedded.freeBytes).toBeGreaterThan(0)
  rmSync(dataDir, { recursive: true })
  expect((await of('postgres://elsewhere/x')).freeBytes).toBeNull()
})
