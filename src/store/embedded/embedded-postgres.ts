import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Clock, systemClock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { StartError } from '../../kernel/start-error.ts'
import { findWay, type Needs, type SystemAccount, serverAccount } from './account.ts'
import { type Binaries, copyBinaries, findBinaries, linkLibraries } from './binaries.ts'
import { clusterOf, ensureCluster, type Surroundings } from './cluster.ts'
import { type Connection, connectionString } from './connection.ts'
import { ELSEWHERE, findDataFolder, homeOf, makeHome, moveHome, prepareDataFolder } from './folder.ts'
import { becomeOwner, findOwner, type OwnerPurpose } from './owner.ts'
import { ask, findPostmaster } from './postmaster.ts'
import {
  connectionTo,
  endServer,
  type RunningServer,
  removeShortSocketFolder,
  runServer,
  type Tools,
} from './server.ts'

export type { Connection } from './connection.ts'
export type { OwnerPurpose } from './owner.ts'

export interface EmbeddedOptions {
  /** Created when missing; the database is in `database` below it. */
  readonly dataDir: string
  readonly log: Log
  readonly clock?: Clock
  /** False gives up crash safety, for tests. */
  readonly durable?: boolean
  readonly settings?: Readonly<Record<string, string>>
  /** For tests and benches that read the server's files. */
  readonly administrator?: boolean
  readonly purpose?: OwnerPurpose
}

export interface EmbeddedPostgres {
  readonly connection: Connection
  readonly connectionString: string
  readonly adopted: boolean
  /** Ends the server, adopted or not. May be called more than once. */
  stop(): Promise<void>
}

const WATCH_MS = 1000
const RESTARTS = 3
const RESTARTS_WITHIN_MS = 60_000
const ATTACH_MS = 60_000

/**
 * Restarts the server when it dies. One service owns a data folder. Throws a StartError with one sentence for people.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const clock = options.clock ?? systemClock
  const dataFolder = prepareDataFolder(options.dataDir)
  let release = () => {}
  try {
    const place = findPlace(dataFolder, findBinaries(), options.log)
    release = await becomeOwner(place.home, options.purpose ?? 'service', clock)
    const environment = linkLibraries(place.binaries, join(place.home, 'lib'))
    const tools = {
      ...place,
      environment,
      durable: options.durable ?? true,
      administrator: options.administrator ?? false,
      settings: options.settings ?? {},
      clock,
      log: options.log,
    }
    await ensureCluster(tools)
    return supervise(tools, await runServer(tools), release)
  } catch (error) {
    release()
    throw explained(error, dataFolder)
  }
}

/** Waits for a service that is just starting; null without a service. */
export async function connectionOfRunning(dataDir: string, clock: Clock = systemClock): Promise<Connection | null> {
  const home = homeOf(findDataFolder(dataDir))
  const giveUpAt = clock.monotonicMs() + ATTACH_MS
  while (findOwner(home)?.purpose === 'service') {
    const postmaster = findPostmaster(clusterOf(home))
    const connection = postmaster && connectionTo(home, postmaster)
    if (connection && (await ask(connection)).kind === 'ready') return connection
    if (clock.monotonicMs() > giveUpAt)
      throw new StartError(`The database of the Earshot that runs on ${dataDir} does not answer.`)
    await clock.wait(100)
  }
  return null
}

/** The running service's database, or one that runs for a short command until `stop`. */
export async function borrowEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const dataFolder = prepareDataFolder(options.dataDir)
  const running = await connectionOfRunning(dataFolder, options.clock)
  if (running)
    return {
      connection: running,
      connectionString: connectionString(running),
      adopted: false,
      stop: async () => undefined,
    }
  return startEmbeddedPostgres({ ...options, purpose: 'command' })
}

type Place = Omit<Surroundings, 'environment' | 'durable' | 'administrator'>

function findPlace(dataFolder: string, binaries: Binaries, log: Log): Place {
  const home = homeOf(dataFolder)
  makeHome(home)
  const account = serverAccount(clusterOf(home))
  const way = findWay(account, needs(binaries, home))
  if (way === null) return placeElsewhere(dataFolder, account, binaries, log)
  if (way.lends) log.warn({ event: 'database.folder_closed', dataFolder, programs: binaries.folder }, CLOSED_FOLDER)
  return { home, account, launch: way.launch, binaries }
}

const CLOSED_FOLDER =
  'the database server runs with the right to read every file, because a folder above its data or its programs is ' +
  'closed to its user; let others pass through that folder (chmod o+x), or run Earshot as an ordinary user'

/** For root without setpriv: puts everything where the server's user can reach it. */
function placeElsewhere(dataFolder: string, account: SystemAccount | null, binaries: Binaries, log: Log): Place {
  const before = homeOf(dataFolder)
  const known = before.startsWith(ELSEWHERE)
  if (!known && existsSync(clusterOf(before)))
    throw new StartError(
      `The database's user (${account?.uid}) cannot reach ${before}; let others pass through the folders above ` +
        'it (chmod o+x).',
    )
  const home = moveHome(dataFolder)
  const copied = copyBinaries(binaries, ELSEWHERE)
  const way = findWay(account, needs(copied, home))
  if (way === null)
    throw new StartError(
      `The database's user (${account?.uid}) cannot reach ${dirname(copied.folder)}; run Earshot as an ordinary ` +
        'user or install setpriv.',
    )
  if (!known)
    log.warn(
      { event: 'database.folder_moved', dataFolder, databaseFolder: home },
      'The database is kept outside the data folder, which its user cannot enter',
    )
  return { home, account, launch: way.launch, binaries: copied }
}

function needs({ folder }: Binaries, home: string): Needs {
  const programs = ['initdb', 'postgres'].map((name) => join(folder, 'bin', name))
  return {
    execute: [...programs, home],
    read: [...programs, join(folder, 'lib', 'postgresql'), join(folder, 'share', 'postgresql', 'postgres.bki')],
  }
}

function supervise(tools: Tools, first: RunningServer, release: () => void): EmbeddedPostgres {
  const stopping = new AbortController()
  let server = first
  const watching = watch()
  let stopped: Promise<void> | undefined

  async function watch(): Promise<void> {
    const restarts: number[] = []
    while (!stopping.signal.aborted) {
      await tools.clock.wait(WATCH_MS, stopping.signal)
      if (stopping.signal.aborted || findPostmaster(clusterOf(tools.home))?.pid === server.pid) continue
      const recent = restarts.filter((at) => at > tools.clock.monotonicMs() - RESTARTS_WITHIN_MS)
      if (recent.length === RESTARTS) continue
      restarts.push(tools.clock.monotonicMs())
      await restart()
    }
  }

  async function restart(): Promise<void> {
    tools.log.error({ event: 'database.exited', pid: server.pid }, 'The built-in database exited and is restarted')
    try {
      server = await runServer(tools)
    } catch (error) {
      tools.log.error({ event: 'database.restart_failed', err: error }, 'The built-in database could not be restarted')
    }
  }

  async function stop(): Promise<void> {
    stopping.abort()
    await watching
    await endServer(tools, server.pid)
    removeShortSocketFolder(tools.home, server.connection)
    release()
  }

  const { connection, adopted } = first
  return { connection, connectionString: connectionString(connection), adopted, stop: () => (stopped ??= stop()) }
}

function explained(error: unknown, dataFolder: string): unknown {
  const { code, path } = error as NodeJS.ErrnoException
  if (code === 'EACCES' || code === 'EPERM')
    return new StartError(
      `The database in ${dataFolder} cannot be used (${code} on ${path}); run Earshot as the user who made it, ` +
        'or as root.',
    )
  if (code === 'ENOSPC') return new StartError(`The disk that holds ${dataFolder} is full.`)
  if (code === 'EROFS') return new StartError(`The disk that holds ${dataFolder} is read-only.`)
  return error
}
