import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Job } from '../jobs/schedule.ts'
import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { StartError } from '../kernel/start-error.ts'
import { VERSION } from '../kernel/version.ts'
import { type BackupState, noteBackup, noteFailedBackup, readBackupState } from '../store/backup/scheduled-backups.ts'
import { type BackupDone, takeScheduleLock, writeBackup } from '../store/backup/write-backup.ts'
import type { Database } from '../store/database.ts'
import type { BackupMetrics } from './backup-metrics.ts'
import type { BackupSchedule } from './backup-settings.ts'
import { reasonOf } from './installation.ts'

export interface ScheduledOptions {
  schedule: BackupSchedule
  connection: string
  /** The secret key of the installation, sealed; null leaves it out. */
  sealedKey(): Promise<object | null>
  log: Log
  metrics: BackupMetrics
  /** Ends a backup that is under way; the next start makes it. */
  signal: AbortSignal
}

/** How soon a failed backup is tried again. */
const RETRY_MS = HOUR_MS
const NAME = /^earshot-\d{4}-\d\d-\d\dT\d{6}Z\.backup$/
const UNFINISHED_NAME = /^earshot-\d{4}-\d\d-\d\dT\d{6}Z\.backup\.[0-9a-f]+\.part$/

/** Looks every few minutes whether a backup is due. */
export function backupJob(options: ScheduledOptions): Job {
  return {
    name: 'back-up',
    everyMs: 5 * MINUTE_MS,
    async run({ db, clock }) {
      const state = await readBackupState(db)
      if (state?.succeededAt) options.metrics.backupSucceeded.set(state.succeededAt.getTime() / SECOND_MS)
      if (!isBackupDue(state, options.schedule, clock.now())) return 0
      return await run(options, db, clock)
    },
  }
}

export function isBackupDue(state: BackupState | null, { everyHours }: BackupSchedule, now: Date): boolean {
  if (state === null) return true
  const since = (at: Date | null) => (at === null ? Number.POSITIVE_INFINITY : now.getTime() - at.getTime())
  return since(state.succeededAt) >= everyHours * HOUR_MS && (state.error === null || since(state.triedAt) >= RETRY_MS)
}

/** Answers 1 for a new archive. A failure is noted for the doctor. */
async function run(options: ScheduledOptions, db: Database, clock: Clock): Promise<number> {
  const { schedule, signal, log } = options
  const begunMs = clock.monotonicMs()
  const file = join(schedule.folder, `earshot-${clock.now().toISOString().slice(0, 19).replaceAll(':', '')}Z.backup`)
  try {
    const done = await write(options, file, { db, clock })
    if (done === null) return 0
    const { bytes, rows } = done
    log.info(
      { event: 'backup.written', file, bytes, rows, ms: Math.round(clock.monotonicMs() - begunMs) },
      'A scheduled backup was written',
    )
    await removeOld(schedule)
    return 1
  } catch (error) {
    if (signal.aborted) return 0
    await db.transaction((tx) => noteFailedBackup(tx, { error: reasonOf(error), at: clock.now() }))
    throw error
  }
}

/** Null when another process is at it, or has been since this one looked. */
async function write(
  options: ScheduledOptions,
  file: string,
  { db, clock }: { db: Database; clock: Clock },
): Promise<BackupDone | null> {
  const { schedule, connection, signal, sealedKey, metrics } = options
  return await writeBackup({
    ...{ connection, file, signal, version: VERSION, at: clock.now(), sealedKey: await sealedKey() },
    progress: () => undefined,
    async begin(client) {
      if (!(await takeScheduleLock(client))) return false
      if (!isBackupDue(await readBackupState(db), schedule, clock.now())) return false
      await prepareFolder(schedule.folder)
      return true
    },
    // Under the lock, so that whoever takes it next knows of this backup.
    async written({ bytes }) {
      const at = clock.now()
      await db.transaction((tx) => noteBackup(tx, { file, bytes, at }))
      metrics.backupSucceeded.set(at.getTime() / SECOND_MS)
    },
  })
}

/** Nobody else writes here meanwhile, so that unfinished files are those of processes that were killed. */
async function prepareFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    for (const name of await readdir(folder)) if (UNFINISHED_NAME.test(name)) await rm(join(folder, name))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new StartError(
      `BACKUP_DIR: the folder ${folder} cannot be used (${code}); choose another one or fix its rights.`,
    )
  }
}

async function removeOld({ folder, kept }: BackupSchedule): Promise<void> {
  try {
    const names = (await readdir(folder)).filter((name) => NAME.test(name)).sort()
    for (const name of names.slice(0, -kept)) await rm(join(folder, name), { force: true })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new StartError(
      `The backup was written, but an older one in ${folder} cannot be removed (${code}); remove it by hand, or ` +
        "fix the folder's rights.",
    )
  }
}
