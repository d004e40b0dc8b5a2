import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createEmptyDatabase } from '../../test/database-server.ts'
import { collectedLog } from '../../test/stand-ins/collected-log.ts'
import { useFreshWorld } from '../../test/use-world.ts'
import { HOUR_MS, plus } from '../kernel/clock.ts'
import { silentLog } from '../kernel/log.ts'
import { StartError } from '../kernel/start-error.ts'
import { onClient, restoreTo } from '../store/backup/archived.suite.ts'
import { readBackupState } from '../store/backup/scheduled-backups.ts'
import { takeScheduleLock } from '../store/backup/write-backup.ts'
import { createMetrics } from './metrics.ts'
import { backupJob, isBackupDue, type ScheduledOptions } from './scheduled-backups.ts'

const world = useFreshWorld()
const parent = mkdtempSync(join(tmpdir(), 'earshot-scheduled-'))
afterAll(() => rmSync(parent, { recursive: true, force: true }))

const metrics = createMetrics()
const succeededSeconds = async () => (await metrics.backupSucceeded.get()).values[0]!.value

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(parent, 'run-'))
})

function job(change: Partial<ScheduledOptions> = {}) {
  const schedule = { folder, everyHours: 24, kept: 2 }
  const signal = new AbortController().signal
  const options = {
    schedule,
    connection: world.connection,
    sealedKey: async () => null,
    log: silentLog,
    metrics,
    signal,
  }
  return backupJob({ ...options, ...change })
}

const run = (change: Partial<ScheduledOptions> = {}) => job(change).run(world.services)
const names = () => readdirSync(folder).sort()

test('a backup is made when it is due, and as many are kept as are wanted', async () => {
  world.clock.set(new Date('2026-11-27T09:30:00.000Z'))
  const { log, lines } = collectedLog()
  expect(await run({ log })).toBe(1)
  expect(lines).toMatchObject([{ level: 'info', event: 'backup.written', rows: expect.any(Number) }])
  expect(await succeededSeconds()).toBe(Date.UTC(2026, 10, 27, 9, 30) / 1000)
  metrics.backupSucceeded.set(0)
  expect(await run()).toBe(0)
  expect(await succeededSeconds()).toBe(Date.UTC(2026, 10, 27, 9, 30) / 1000)
  world.clock.set(new Date('2026-11-28T09:29:59.999Z'))
  expect(await run()).toBe(0)
  for (const day of ['28', '29']) {
    world.clock.set(new Date(`2026-11-${day}T09:30:00.000Z`))
    expect(await run()).toBe(1)
  }
  expect(names()).toEqual(['earshot-2026-11-28T093000Z.backup', 'earshot-2026-11-29T093000Z.backup'])
  expect(await readBackupState(world.db)).toMatchObject({
    succeededAt: world.clock.now(),
    file: join(folder, 'earshot-2026-11-29T093000Z.backup'),
    error: null,
  })
  const empty = await createEmptyDatabase()
  await restoreTo(empty.connection, join(folder, 'earshot-2026-11-29T093000Z.backup'))
  await empty.drop()
})

test('of processes that find a backup due at once, one makes it', async () => {
  const made = await Promise.all([run(), run(), run()])
  expect(made.reduce<number>((sum, count) => sum + (count ?? 0), 0)).toBe(1)
  expect(names()).toHaveLength(1)
})

test('a process that found a backup due makes none when another one made it meanwhile', async () => {
  let made: unknown
  const slow = async () => {
    made = await run()
    return null
  }
  expect(await run({ sealedKey: slow })).toBe(0)
  expect([made, names().length]).toEqual([1, 1])
})

test('what killed processes have left is removed, and nothing else', async () => {
  for (const name of ['earshot-2026-11-01T000000Z.backup.0123456789ab.part', 'mine.part', 'earshot-notes.backup'])
    writeFileSync(join(folder, name), '')
  // Another process that is at it writes such a file.
  await onClient(world.connection, async (client) => {
    await client.query('begin')
    expect(await takeScheduleLock(client)).toBe(true)
    expect(await run()).toBe(0)
    expect(names()).toHaveLength(3)
  })
  await run()
  expect(names()).toEqual([expect.stringMatching(/^earshot-2.*Z\.backup$/), 'earshot-notes.backup', 'mine.part'])
})

test('a backup that fails is noted with its reason and tried again an hour later', async () => {
  const schedule = { folder: join(folder, 'file', 'below'), everyHours: 24, kept: 2 }
  writeFileSync(join(folder, 'file'), '')
  await expect(run({ schedule })).rejects.toThrow(StartError)
  const failedAt = world.clock.now()
  expect(await readBackupState(world.db)).toMatchObject({
    triedAt: failedAt,
    succeededAt: null,
    error: expect.stringMatching(/^BACKUP_DIR: the folder .*below cannot be used \(ENOTDIR\)/),
  })
  world.clock.set(plus(failedAt, HOUR_MS - 1))
  expect(await run()).toBe(0)
  world.clock.set(plus(failedAt, HOUR_MS))
  expect(await run()).toBe(1)
  expect(await readBackupState(world.db)).toMatchObject({ succeededAt: world.clock.now(), error: null })
})

test('a backup is whole also where an older one cannot be removed, and the doctor says so', async () => {
  mkdirSync(join(folder, 'earshot-2026-01-01T000000Z.backup', 'not-empty'), { recursive: true })
  const schedule = { folder, everyHours: 24, kept: 1 }
  await expect(run({ schedule })).rejects.toThrow(StartError)
  expect(await readBackupState(world.db)).toMatchObject({
    succeededAt: world.clock.now(),
    error: expect.stringMatching(/^The backup was written, but an older one in .+ cannot be removed \(ERR_FS_EISDIR\)/),
  })
})

test('the end of the service ends a backup, which is no failure', async () => {
  const ending = new AbortController()
  ending.abort()
  expect(await run({ signal: ending.signal })).toBe(0)
  expect(await readBackupState(world.db)).toBe(null)
  expect(names()).toEqual([])
})

test('a backup whose time has come is due also after a failure', () => {
  const at = (hour: number) => new Date(Date.UTC(2026, 10, 27, hour))
  const state = { triedAt: at(5), succeededAt: at(0), file: null, bytes: null, error: 'full' }
  const due = (hour: number, everyHours: number) => isBackupDue(state, { folder, everyHours, kept: 1 }, at(hour))
  expect([due(5, 4), due(6, 4), due(6, 7), due(7, 7)]).toEqual([false, true, false, true])
})
