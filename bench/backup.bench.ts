import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../src/kernel/clock.ts'
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

/**
 * A backup of the built-in database, restored to the server of TEST_DATABASE_URL where that is set. There the backup is
 * compared with pg_dump, which the built-in server does not have.
 */
export async function run({ quick }: BenchOptions): Promise<BenchRow[]> {
  const mentions = quick ? QUICK : FULL
  const folder = mkdtempSync(join(tmpdir(), 'earshot-bench-backup-'))
  const prepared = await openPrepared(mentions, 2)
  try {
    const file = join(folder, 'built-in.backup')
    const seconds = await secondsOf(() => backUp(prepared.postgres.connectionString, file))
    const megabytes = statSync(file).size / 1e6
    const note = `${mentions} mentions, ${megabytes.toFixed(0)} MB compressed`
    const admin = process.env['TEST_DATABASE_URL']
    return [
      { measure: 'backup of the built-in database', value: seconds, unit: 's', better: 'lower', note },
      ...(admin === undefined ? [] : await onServer(admin, file, folder)),
    ]
  } finally {
    await prepared.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function onServer(admin: string, file: string, folder: string): Promise<BenchRow[]> {
  const name = `earshot_bench_${process.pid}`
  const connection = databaseOn(admin, name)
  await sql(admin, `create database ${name}`)
  try {
    const restored = await secondsOf(() => restore(connection, file))
    const ours: number[] = []
    const theirs: number[] = []
    // By turns, so that both meet the same neighbours.
    for (let round = 0; round < ROUNDS; round += 1) {
      ours.push(await secondsOf(() => backUp(connection, join(folder, `${round}.backup`))))
      const dump = join(folder, `${round}.dump`)
      theirs.push(await secondsOf(async () => void execFileSync('pg_dump', ['-Fc', '-f', dump, connection])))
    }
    const [backup, dump] = [Math.min(...ours), Math.min(...theirs)]
    const sizes = ['0.backup', '0.dump'].map((name) => `${(statSync(join(folder, name)).size / 1e6).toFixed(0)} MB`)
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
    await sql(admin, `drop database ${name} with (force)`)
  }
}

const quiet = () => ({ progress: () => undefined, signal: new AbortController().signal })

async function backUp(connection: string, file: string): Promise<void> {
  await writeBackup({ ...quiet(), connection, file, version: 'bench', at: systemClock.now(), sealedKey: null })
}

async function restore(connection: string, file: string): Promise<void> {
  await readBackup(file, (backup) => restoreBackup({ ...quiet(), connection, backup, beforeCommit: () => undefined }))
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const begunMs = systemClock.monotonicMs()
  await work()
  return (systemClock.monotonicMs() - begunMs) / 1000
}
