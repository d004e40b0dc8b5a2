import { HOUR_MS, plus } from '../kernel/clock.ts'
import { megabytes } from '../kernel/figures.ts'
import type { BackupState } from '../store/backup/scheduled-backups.ts'
import type { BackupSchedule } from './backup-settings.ts'

/** A backup that is this late did not begin: no process works, or those that work have no BACKUP_DIR. */
const LATE_MS = 2 * HOUR_MS

const NEVER =
  'No scheduled backup was made yet. BACKUP_DIR must be set for a running process with the role work or all.'

/** For the doctor: facts, and problems in sentences. */
export function backupReport(
  state: BackupState | null,
  schedule: BackupSchedule | null,
  now: Date,
): { rows: string[][]; wrong: string[] } {
  const at = state?.succeededAt ?? null
  const dueAt = schedule && at && plus(at, schedule.everyHours * HOUR_MS)
  const isLate = dueAt !== null && plus(dueAt, LATE_MS) <= now
  return {
    rows: [
      ['schedule', schedule ? `every ${schedule.everyHours} h to ${schedule.folder}` : 'none: BACKUP_DIR is not set'],
      ['last backup', at === null ? 'none' : `${state?.file}, ${megabytes(state?.bytes ?? 0)}, ${at.toISOString()}`],
    ],
    wrong: [
      ...(schedule && state === null ? [NEVER] : []),
      ...(state?.error ? [`The scheduled backup of ${state.triedAt.toISOString()}: ${state.error}`] : []),
      ...(isLate ? [`A backup is overdue since ${dueAt.toISOString()}.`] : []),
    ],
  }
}
