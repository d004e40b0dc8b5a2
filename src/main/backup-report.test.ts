import { expect, test } from 'vitest'
import type { BackupState } from '../store/backup/scheduled-backups.ts'
import { backupReport } from './backup-report.ts'

const SCHEDULE = { folder: '/backups', everyHours: 24, kept: 7 }
const at = (day: number, hour: number) => new Date(Date.UTC(2026, 10, day, hour))
const DONE: BackupState = {
  triedAt: at(26, 9),
  succeededAt: at(26, 9),
  file: '/backups/earshot.backup',
  bytes: 12_340_000,
  error: null,
}

test('the last backup is named with its size and time, and is overdue two hours after its successor was due', () => {
  const report = (day: number, hour: number) => backupReport(DONE, SCHEDULE, at(day, hour))
  expect(report(27, 10)).toEqual({
    rows: [
      ['schedule', 'every 24 h to /backups'],
      ['last backup', '/backups/earshot.backup, 12.3 MB, 2026-11-26T09:00:00.000Z'],
    ],
    wrong: [],
  })
  expect(report(27, 11).wrong).toEqual(['A backup is overdue since 2026-11-27T09:00:00.000Z.'])
})

test('a backup that failed is named with its reason, also where nothing is scheduled any more', () => {
  const failed = { ...DONE, triedAt: at(27, 9), error: 'BACKUP_DIR: the folder cannot be used (EACCES).' }
  const wrong = ['The scheduled backup of 2026-11-27T09:00:00.000Z: BACKUP_DIR: the folder cannot be used (EACCES).']
  for (const schedule of [SCHEDULE, null]) expect(backupReport(failed, schedule, at(27, 10)).wrong).toEqual(wrong)
})

test('a schedule that nobody keeps is a problem', () => {
  expect(backupReport(null, SCHEDULE, at(27, 10)).wrong).toEqual([
    expect.stringMatching(/^No scheduled backup .* BACKUP_DIR/),
  ])
})

test('an installation without backups has no problem', () => {
  expect(backupReport(null, null, at(27, 10))).toEqual({
    rows: [
      ['schedule', 'none: BACKUP_DIR is not set'],
      ['last backup', 'none'],
    ],
    wrong: [],
  })
})
