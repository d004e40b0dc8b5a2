import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, fstatSync, rmSync, statfsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { StartError } from '../../kernel/start-error.ts'
import { clusterOf, DATABASE, ROLE, readPassword, type Surroundings } from './cluster.ts'
import type { Connection } from './connection.ts'
import { serverEnvironment } from './environment.ts'
import { clearSocketFolder, socketFolder } from './folder.ts'
import { openLog, startFailure, tailOf } from './log-file.ts'
import { ask, findPostmaster, type Postmaster, removeStaleNote } from './postmaster.ts'
import { isRunning, signal } from './processes.ts'
import { serverSettings, usableMemory } from './settings.ts'

export interface RunningServer {
  readonly pid: number
  readonly connection: Connection
  readonly adopted: boolean
}

export interface Tools extends Surroundings {
  readonly settings: Readonly<Record<string, string>>
  readonly clock: Clock
  readonly log: Log
}

const SILENCE_MS = 60_000
/** Far beyond a recovery, which replays about a gigabyte. */
const RECOVERY_MS = 15 * 60_000
const PROGRESS_MS = 5000
const ORPHAN_MS = 15_000
const STOP_MS = 30_000
const BY_FORCE: readonly (readonly [NodeJS.Signals, number])[] = [
  ['SIGQUIT', 5000],
  ['SIGKILL', 5000],
]
const GENTLY: typeof BY_FORCE = [['SIGINT', STOP_MS], ...BY_FORCE]
const TRIES = 6

export async function runServer(at: Tools): Promise<RunningServer> {
  const orphan = findPostmaster(clusterOf(at.home))
  if (orphan) {
    const adopted = await adopt(at, orphan)
    if (typeof adopted === 'object') return adopted
    at.log.warn(
      { event: 'database.orphan_ended', pid: orphan.pid, state: adopted },
      'The database of an earlier run cannot be used and is ended',
    )
    await endServer(at, orphan.pid, adopted === 'silent' ? BY_FORCE : GENTLY)
  }
  return launchServer(at)
}

/** Open transactions roll back; commits are on disk or recovered by the next start. */
export async function endServer(
  at: Pick<Tools, 'clock' | 'log' | 'launch' | 'home' | 'binaries' | 'environment'>,
  pid: number,
  steps = GENTLY,
): Promise<void> {
  if (process.platform === 'win32') return endOnWindows(at)
  for (const [name, limit] of steps) {
    if (!signal(pid, name) || (await ended(at.clock, pid, limit))) return
    at.log.warn({ event: 'database.stop_failed', pid, signal: name }, 'The built-in database does not end')
  }
}

export function connectionTo(home: string, { host, port }: Pick<Postmaster, 'host' | 'port'>): Connection {
  return { host, port, user: ROLE, password: readPassword(home), database: DATABASE, ssl: false }
}

async function adopt(at: Tools, orphan: Postmaster): Promise<RunningServer | 'silent' | 'unfit'> {
  const connection = connectionTo(at.home, orphan)
  const giveUpAt = at.clock.monotonicMs() + ORPHAN_MS
  const recoveredBy = at.clock.monotonicMs() + RECOVERY_MS
  for (;;) {
    const answer = await ask(connection)
    const fits =
      answer.kind === 'ready' && answer.cluster === clusterOf(at.home) && answer.version === at.binaries.version
    if (fits) return { pid: orphan.pid, connection, adopted: true }
    if (answer.kind === 'ready' || answer.kind === 'stranger') return 'unfit'
    const waits = answer.kind === 'starting' ? recoveredBy : giveUpAt
    if (!isRunning(orphan.pid) || at.clock.monotonicMs() > waits) return 'silent'
    await at.clock.wait(100)
  }
}

async function launchServer(at: Tools): Promise<RunningServer> {
  for (let left = TRIES - 1; ; left -= 1) {
    removeStaleNote(clusterOf(at.home))
    const attempt = await launchOnce(at)
    if ('pid' in attempt) return attempt
    // Processes of a killed server hold its shared memory for up to a second.
    if (!attempt.mayPass || left === 0) throw startFailure('The database does not start', attempt.lastWords)
    await at.clock.wait(500)
  }
}

async function launchOnce(at: Tools): Promise<RunningServer | { mayPass: boolean; lastWords: string }> {
  const folder = socketFolder(at.home, at.account)
  clearSocketFolder(folder)
  const port = process.platform === 'win32' ? await freePort() : 5432
  const connection = connectionTo(at.home, { host: process.platform === 'win32' ? '127.0.0.1' : folder, port })
  const logPath = join(at.home, 'server.log')
  const log = openLog(logPath, at.account)
  const logStart = fstatSync(log).size
  const room = { memory: usableMemory(), disk: freeDisk(at.home) }
  const child = spawnServer(
    at,
    serverSettings({ socketFolder: folder, port, durable: at.durable, room, more: at.settings }),
    log,
  )
  closeSync(log)
  const problem = await untilReady(at, child, connection)
  if (problem === null) return { pid: pidOf(at, child), connection, adopted: false }
  const lastWords = tailOf(logPath, logStart) || problem
  if (hasEnded(child)) return { mayPass: /shared memory block/.test(lastWords), lastWords }
  if (child.pid !== undefined) await endServer(at, child.pid)
  throw startFailure('The database did not come up in time', lastWords)
}

function freeDisk(home: string): number {
  const { bavail, bsize } = statfsSync(home)
  return bavail * bsize
}

/** In its own session, so that Ctrl-C does not reach it and the database ends after its users. */
function spawnServer(at: Tools, settings: readonly string[], log: number): ChildProcess {
  const cluster = clusterOf(at.home)
  const { file, args, options } =
    process.platform === 'win32'
      ? // The server refuses an administrator; pg_ctl drops those rights.
        at.launch(join(at.binaries.folder, 'bin', 'pg_ctl.exe'), [
          'start',
          '-W',
          '-D',
          cluster,
          '-o',
          settings.map((part) => `"${part}"`).join(' '),
        ])
      : at.launch(join(at.binaries.folder, 'bin', 'postgres'), ['-D', cluster, ...settings])
  const child = spawn(file, args, {
    ...options,
    cwd: '/',
    env: serverEnvironment(at.environment),
    stdio: ['ignore', log, log],
    detached: true,
    windowsHide: true,
  })
  child.unref()
  return child
}

/** Returns null, or why the server does not respond. */
async function untilReady({ clock, log }: Tools, child: ChildProcess, connection: Connection): Promise<string | null> {
  let failure: string | null = null
  child.once('error', (error) => {
    failure = error.message
  })
  const began = clock.monotonicMs()
  let heardAt = began
  let reportAt = began + PROGRESS_MS
  for (;;) {
    const answer = await ask(connection)
    if (answer.kind === 'ready') return null
    const now = clock.monotonicMs()
    if (answer.kind === 'starting') heardAt = now
    if (answer.kind === 'stranger')
      throw new StartError(`The database in ${connection.host} does not accept the password kept beside it.`)
    if (failure !== null || hasEnded(child)) return failure ?? 'the server ended'
    if (now - heardAt > SILENCE_MS || now - began > RECOVERY_MS) return whyNotReady(answer)
    if (now >= reportAt) {
      reportAt = now + PROGRESS_MS
      reportWaiting(log, now - began, answer.kind === 'starting')
    }
    await clock.wait(now - began < 1000 ? 10 : 100)
  }
}

function whyNotReady(answer: Exclude<Awaited<ReturnType<typeof ask>>, { kind: 'ready' }>): string {
  return answer.kind === 'silent' ? answer.reason : 'still recovering'
}

function reportWaiting(log: Log, waitedMs: number, recovering: boolean): void {
  log.info(
    { event: 'database.waiting', seconds: Math.round(waitedMs / 1000), recovering },
    'Waiting for the database to start',
  )
}

/** On Windows the child is pg_ctl, which exits with 0 after starting the server. */
function hasEnded(child: ChildProcess): boolean {
  return (
    child.signalCode !== null || (child.exitCode !== null && (process.platform !== 'win32' || child.exitCode !== 0))
  )
}

function pidOf(at: Tools, child: ChildProcess): number {
  return findPostmaster(clusterOf(at.home))?.pid ?? child.pid!
}

async function ended(clock: Clock, pid: number, limitMs: number): Promise<boolean> {
  const giveUpAt = clock.monotonicMs() + limitMs
  while (isRunning(pid)) {
    if (clock.monotonicMs() > giveUpAt) return false
    await clock.wait(10)
  }
  return true
}

function endOnWindows(at: Pick<Tools, 'launch' | 'home' | 'binaries' | 'environment'>): Promise<void> {
  const { file, args } = at.launch(join(at.binaries.folder, 'bin', 'pg_ctl.exe'), [
    'stop',
    '-D',
    clusterOf(at.home),
    '-m',
    'fast',
    '-t',
    String(STOP_MS / 1000),
  ])
  return new Promise((done) => {
    const child = spawn(file, args, { env: serverEnvironment(at.environment), stdio: 'ignore', windowsHide: true })
    child.once('error', () => done())
    child.once('close', () => done())
  })
}

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer()
    server.once('error', fail)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => done(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

export function removeShortSocketFolder(home: string, connection: Connection): void {
  if (process.platform !== 'win32' && !connection.host.startsWith(home))
    rmSync(connection.host, { recursive: true, force: true })
}
