import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { HOUR_MS, systemClock } from '../src/kernel/clock.ts'
import { readBackup } from '../src/store/backup/read-backup.ts'
import { restoreBackup } from '../src/store/backup/restore-backup.ts'
import { writeBackup } from '../src/store/backup/write-backup.ts'
import { databaseOn, sql } from '../test/database-setup.ts'
import type { BenchOptions, BenchRow } from './contract.ts'
import { openPrepared } from './ingest/prepared.ts'

const FULL = 1_000_000
const QUICK = 100_000
/** The most that a backup may take, in times of what pg_dump takes. */
const MUST = 1.3
const ROUNDS = 3
/** Of all steps after the database is prepared. */
const LIMIT_MS = HOUR_MS
const DATABASE = 'earshot_bench_backup'

/**
 * A backup of the built-in database, restored to the server of TEST_DATABASE_URL where that is set. There the backup is
 * compared with pg_dump, which the built-in server does not have.
 */
export async function run({ quick }: BenchOptions): Promise<BenchRow[]> {
  const mentions = quick ? QUICK : FULL
  const admin = process.env['TEST_DATABASE_URL']
  // Says at once whether pg_dump is there and knows this server.
  if (admin !== undefined) execFileSync('pg_dump', ['--schema-only', '--file', '/dev/null', admin])
  const prepared = await openPrepared(mentions, 2)
  const folder = mkdtempSync(join(tmpdir(), 'earshot-bench-backup-'))
  const interruption = new AbortController()
  const end = () => interruption.abort(new Error('interrupted'))
  process.once('SIGINT', end).once('SIGTERM', end)
  const signal = AbortSignal.any([interruption.signal, AbortSignal.timeout(LIMIT_MS)])
  try {
    const file = join(folder, 'built-in.backup')
    const seconds = await secondsOf(() => backUp(prepared.postgres.connectionString, file, signal))
    const megabytes = statSync(file).size / 1e6
    const note = `${mentions} mentions, ${megabytes.toFixed(0)} MB compressed`
    return [
      { measure: 'backup of the built-in database', value: seconds, unit: 's', better: 'lower', note },
      ...(admin === undefined ? [] : await onServer(admin, { file, folder, signal })),
    ]
  } finally {
    process.removeListener('SIGINT', end).removeListener('SIGTERM', end)
    await prepared.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface ServerRun {
  /** The backup to restore. */
  file: string
  folder: string
  signal: AbortSignal
}

async function onServer(admin: string, { file, folder, signal }: ServerRun): Promise<BenchRow[]> {
  const connection = databaseOn(admin, DATABASE)
  // A run that was killed has left its database.
  await sql(admin, `drop database if exists ${DATABASE}`)
  await sql(admin, `create database ${DATABASE}`)
  try {
    const restored = await secondsOf(() => restore(connection, file, signal))
    const [own, dumped] = [join(folder, 'server.backup'), join(folder, 'server.dump')]
    const pgDump = () => runFile('pg_dump', ['-Fc', '-f', dumped, connection], { signal })
    const ours: number[] = []
    const theirs: number[] = []
    // By turns, so that both meet the same neighbours.
    for (let round = 0; round < ROUNDS; round += 1) {
      ours.push(await secondsOf(() => backUp(connection, own, signal)))
      theirs.push(await secondsOf(pgDump))
    }
    const [backup, dump] = [Math.min(...ours), Math.min(...theirs)]
    const sizes = [own, dumped].map((path) => `${(statSync(path).size / 1e6).toFixed(0)} MB`)
    return [
      { measure: 'restore to a server', value: restored, unit: 's', better: 'lower' },
      {
        measure: 'backup in times of pg_dump',
        value: backup / dump,
        unit: 'times',
        better: 'lower',
        must: MUST,
        peer: `pg_dump -Fc ${dump.toFixed(1)} s, ${sizes[1]}`,
        note: `${backup.toFixed(1)} s, ${sizes[0]}; best of ${ROUNDS}`,
      },
    ]
  } finally {
    await sql(admin, `drop database ${DATABASE} with (force)`)
  }
}

const runFile = promisify(execFile)
const progress = () => undefined

async function backUp(connection: string, file: string, signal: AbortSignal): Promise<void> {
  await writeBackup({ progress, signal, connection, file, version: 'bench', at: systemClock.now(), sealedKey: null })
}

async function restore(connection: string, file: string, signal: AbortSignal): Promise<void> {
  await readBackup(file, (backup) =>
    restoreBackup({ progress, signal, connection, backup, beforeCommit: () => undefined }),
  )
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const begunMs = systemClock.monotonicMs()
  await work()
  return (systemClock.monotonicMs() - begunMs) / 1000
}
