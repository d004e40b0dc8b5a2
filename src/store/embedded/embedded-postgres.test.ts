import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../kernel/clock.ts'
import { type Log, silentLog } from '../../kernel/log.ts'
import { StartError } from '../../kernel/start-error.ts'
import { findBinaries } from './binaries.ts'
import {
  borrowEmbeddedPostgres,
  connectionOfRunning,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from './embedded-postgres.ts'
import { serverEnvironment } from './environment.ts'
import { isRunning } from './processes.ts'

const HOLDER = fileURLToPath(new URL('./hold-database.suite.ts', import.meta.url))
/** The number of the right that PostgreSQL's user may be lent: to read and to pass every file and folder. */
const CAP_DAC_READ_SEARCH = 2
const folders: string[] = []
const children: ChildProcess[] = []

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  }
})

afterAll(async () => {
  for (const dataDir of folders) {
    // Ends what a killed child left running before its files go.
    const server = await startEmbeddedPostgres({ dataDir, log: silentLog, durable: false }).catch(() => undefined)
    await server?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'earshot supervisor-'))
  folders.push(folder)
  return folder
}

const start = (dataDir: string) => startEmbeddedPostgres({ dataDir, log: silentLog, durable: false })
const borrow = (dataDir: string) => borrowEmbeddedPostgres({ dataDir, log: silentLog, durable: false })
const clusterOf = (dataDir: string) => join(dataDir, 'database', 'cluster')
const serverPid = (dataDir: string) =>
  Number(readFileSync(join(clusterOf(dataDir), 'postmaster.pid'), 'utf8').split('\n')[0])

function holder(dataDir: string): ChildProcess {
  const child = fork(HOLDER, [dataDir], {
    execArgv: ['--import', import.meta.resolve('tsx')],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  children.push(child)
  return child
}

async function killed(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  if (child.signalCode === null) await once(child, 'exit')
}

async function query(connectionString: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows
  } finally {
    await client.end()
  }
}

async function until<Result>(look: () => Result | Promise<Result>): Promise<NonNullable<Result>> {
  const giveUpAt = systemClock.monotonicMs() + 20_000
  for (;;) {
    const found = await look()
    if (found) return found as NonNullable<Result>
    if (systemClock.monotonicMs() > giveUpAt) throw new Error('waited in vain')
    await systemClock.wait(10)
  }
}

test('what was committed is there after a stop and a start, and only the owner can read the password', async () => {
  const dataDir = newFolder()
  const first = await start(dataDir)
  await query(first.connectionString, "create table kept as select 'Äpfel' as word")
  await first.stop()
  const second = await start(dataDir)
  expect(second.adopted).toBe(false)
  expect(await query(second.connectionString, 'select upper(word) as word from kept')).toEqual([{ word: 'ÄPFEL' }])
  expect(
    await query(
      second.connectionString,
      "select current_setting('fsync') as fsync, current_setting('TimeZone') as zone",
    ),
  ).toEqual([{ fsync: 'off', zone: 'UTC' }])
  await second.stop()
  expect(statSync(join(dataDir, 'database', 'password')).mode & 0o077).toBe(0)
  expect(readdirSync(join(dataDir, 'database')).sort()).toEqual(['cluster', 'owners', 'password', 'run', 'server.log'])
})

test('the server of a killed process is adopted with its data, and ended by its new owner', async () => {
  const dataDir = newFolder()
  const child = holder(dataDir)
  await once(child, 'message')
  const beside = await borrow(dataDir)
  await query(beside.connectionString, 'create table kept as select 7 as seven')
  await beside.stop()
  const pid = serverPid(dataDir)
  await killed(child)

  expect(await connectionOfRunning(dataDir)).toBeNull()
  const heir = await start(dataDir)
  expect(heir.adopted).toBe(true)
  expect(serverPid(dataDir)).toBe(pid)
  expect(await query(heir.connectionString, 'select seven from kept')).toEqual([{ seven: 7 }])
  await heir.stop()
  expect(isRunning(pid)).toBe(false)
})

test('a second service is refused in one sentence while a command simply connects', async () => {
  const dataDir = newFolder()
  const child = holder(dataDir)
  await once(child, 'message')
  await expect(start(dataDir)).rejects.toThrow(
    new RegExp(`^Another Earshot \\(process ${child.pid}\\) already uses the data in .+[^\\n]\\.$`),
  )
  const command = await borrow(dataDir)
  await command.stop()
  expect(await connectionOfRunning(dataDir)).not.toBeNull()
  child.send('stop')
  await once(child, 'exit')
  expect(await connectionOfRunning(dataDir)).toBeNull()
})

test('a command without a service brings the server up for itself, ends it, and others wait their turn', async () => {
  const dataDir = newFolder()
  const answers = await Promise.all(
    [1, 2].map(async (number) => {
      const server = await borrow(dataDir)
      const rows = await query(server.connectionString, `select ${number} as number`)
      await server.stop()
      return rows
    }),
  )
  expect(answers).toEqual([[{ number: 1 }], [{ number: 2 }]])
  expect(() => serverPid(dataDir)).toThrow('ENOENT')
})

test('a set-up that was killed half way leaves nothing that the next start would take for a database', async () => {
  const dataDir = newFolder()
  const child = holder(dataDir)
  const home = join(dataDir, 'database')
  await until(
    () => readdirSync(dataDir).includes('database') && readdirSync(home).some((name) => name.startsWith('unfinished-')),
  )
  await killed(child)
  expect(readdirSync(home)).not.toContain('cluster')
  const server = await start(dataDir)
  expect(await query(server.connectionString, 'select 1 as one')).toEqual([{ one: 1 }])
  await server.stop()
  expect(readdirSync(home).filter((name) => name.startsWith('unfinished-'))).toEqual([])
})

test('the note of an ended server is no hindrance when its number belongs to another program now', async () => {
  const dataDir = newFolder()
  await (await start(dataDir)).stop()
  const note = join(clusterOf(dataDir), 'postmaster.pid')
  writeFileSync(
    note,
    `${process.pid}\n${clusterOf(dataDir)}\n1700000000\n5432\n${join(dataDir, 'database', 'run')}\n\n 1 1\nready   \n`,
  )
  const owner = statSync(clusterOf(dataDir))
  chownSync(note, owner.uid, owner.gid)
  const server = await start(dataDir)
  expect(server.adopted).toBe(false)
  expect(serverPid(dataDir)).not.toBe(process.pid)
  await server.stop()
})

test('a path too long for a socket is no hindrance, and the folder that replaces it goes with the server', async () => {
  const dataDir = join(newFolder(), 'long'.repeat(20), 'path'.repeat(20))
  const server = await start(dataDir)
  expect(server.connection.host.startsWith(dataDir)).toBe(false)
  expect(statSync(server.connection.host).mode & 0o077).toBe(0)
  expect(await query(server.connectionString, 'select 1 as one')).toEqual([{ one: 1 }])
  await server.stop()
  expect(() => statSync(server.connection.host)).toThrow('ENOENT')
})

test('a server that dies is started again by its owner', async () => {
  const dataDir = newFolder()
  const server: EmbeddedPostgres = await start(dataDir)
  const pid = serverPid(dataDir)
  process.kill(pid, 'SIGKILL')
  await until(() =>
    query(server.connectionString, 'select 1 as one').then(
      () => serverPid(dataDir) !== pid,
      () => false,
    ),
  )
  await server.stop()
})

test('a database of another major version is refused and left as it is', async () => {
  const dataDir = newFolder()
  await (await start(dataDir)).stop()
  const version = join(clusterOf(dataDir), 'PG_VERSION')
  writeFileSync(version, '17\n')
  await expect(start(dataDir)).rejects.toThrow(
    /was made by PostgreSQL 17 and cannot be opened by the built-in PostgreSQL 18/,
  )
  writeFileSync(version, '18\n')
  await (await start(dataDir)).stop()
})

test('a data folder that cannot be made and a platform without programs are explained to people', async () => {
  const file = join(newFolder(), 'file')
  writeFileSync(file, '')
  await expect(start(join(file, 'data'))).rejects.toThrow(StartError)
  await expect(start(join(file, 'data'))).rejects.toThrow(
    /cannot be written to \(ENOTDIR\); choose another with DATA_DIR/,
  )
  expect(() => findBinaries('sunos-x64')).toThrow(/DATABASE_URL/)
})

test('the role of the service is no superuser, and neither reads files of the machine nor runs programs', async () => {
  const server = await start(newFolder())
  try {
    const [role] = await query(
      server.connectionString,
      'select rolname, rolsuper, rolcreatedb from pg_roles where rolname = current_user',
    )
    expect(role).toEqual({ rolname: 'earshot', rolsuper: false, rolcreatedb: true })
    for (const statement of [
      "select pg_read_file('/etc/passwd')",
      "copy (select 1) to program 'true'",
      'set role postgres',
    ])
      await expect(query(server.connectionString, statement)).rejects.toThrow(/permission denied/)
    // Its database is its own all the same.
    await query(
      server.connectionString,
      'create schema own; create table own.kept (word text); drop schema own cascade',
    )
    // Nobody connects as the superuser.
    const { host, port, password } = server.connection
    const client = new pg.Client({ host, port, password, user: 'postgres', database: 'postgres' })
    await expect(client.connect()).rejects.toThrow(/pg_hba\.conf/)
  } finally {
    await server.stop()
  }
})

test('the programs of the database see none of our secrets', async () => {
  const secret = 'whoever reads this could charge cards'
  process.env['STRIPE_SECRET_KEY'] = secret
  const dataDir = newFolder()
  try {
    const server = await start(dataDir)
    if (process.platform === 'linux') {
      const environment = readFileSync(`/proc/${serverPid(dataDir)}/environ`, 'utf8')
      expect(environment).toContain('LC_ALL=C')
      expect(environment).not.toContain(secret)
    }
    await server.stop()
  } finally {
    delete process.env['STRIPE_SECRET_KEY']
  }
  expect(serverEnvironment({ LD_LIBRARY_PATH: '/spare' })).toEqual({
    PATH: process.env['PATH'],
    ...expectedOf('TZ'),
    LD_LIBRARY_PATH: '/spare',
    LC_ALL: 'C',
  })
})

function expectedOf(name: string): Record<string, string> {
  const value = process.env[name]
  return value === undefined ? {} : { [name]: value }
}

/** Root alone lends the server another user. */
describe.runIf(process.getuid?.() === 0)('started by root', () => {
  test('the password stays with root, and one that an earlier build gave away is taken back', async () => {
    const dataDir = newFolder()
    await (await start(dataDir)).stop()
    const path = join(dataDir, 'database', 'password')
    expect(statSync(path)).toMatchObject({ uid: 0 })
    expect(statSync(clusterOf(dataDir)).uid).not.toBe(0)
    chownSync(path, statSync(clusterOf(dataDir)).uid, 0)
    await (await start(dataDir)).stop()
    expect(statSync(path)).toMatchObject({ uid: 0 })
  })

  test('a right to read every file is lent only where a folder is closed to the server, and said', async () => {
    const said: string[] = []
    const log = { ...silentLog, warn: (_fields: object, message?: string) => void said.push(message ?? '') } as Log
    const folder = newFolder()
    const rightsOf = async (dataDir: string) => {
      const server = await startEmbeddedPostgres({ dataDir, log, durable: false })
      const rights = /^CapEff:\s*(\w+)$/m.exec(readFileSync(`/proc/${serverPid(dataDir)}/status`, 'utf8'))?.[1]
      await server.stop()
      return Number.parseInt(rights ?? '', 16)
    }
    chmodSync(folder, 0o700)
    const closed = join(folder, 'closed')
    expect(await rightsOf(closed)).toBe(1 << CAP_DAC_READ_SEARCH)
    expect(said).toEqual([expect.stringContaining('chmod o+x')])
    chmodSync(folder, 0o711)
    expect(await rightsOf(closed)).toBe(0)
    expect(said).toHaveLength(1)
  })
})
