import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { serverAccount } from '../../src/store/embedded/account.ts'
import { copyBinaries, findBinaries, linkLibraries } from '../../src/store/embedded/binaries.ts'
import { freePort } from './free-port.ts'

/** A primary that confirms a commit when its standby has it, both on this machine and without a password. */
export interface PrimaryAndStandby {
  /** Addresses of the primary, of the standby, and of both. */
  readonly primary: string
  readonly standby: string
  readonly both: string
  /** The first processes of both servers. */
  readonly pids: readonly number[]
  /** Runs a statement as the superuser. */
  onPrimary<Row extends pg.QueryResultRow>(statement: string): Promise<Row[]>
  onStandby<Row extends pg.QueryResultRow>(statement: string): Promise<Row[]>
  /** Ends the primary at once, as a crash does, and lets the standby take its place. */
  failOver(): Promise<void>
  close(): Promise<void>
}

const USER = 'earshot'
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  track_commit_timestamp: 'on',
  max_connections: '150',
  // The standby may come later than the first statements.
  wal_keep_size: '256MB',
  max_standby_streaming_delay: '200ms',
}

export async function startPrimaryAndStandby(): Promise<PrimaryAndStandby> {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-standby-'))
  chmodSync(folder, 0o755)
  const servers = new Map<string, ChildProcess>()
  const remove = () => rmSync(folder, { recursive: true, force: true })
  // A run that is cut off has no time to close.
  const abandon = () => {
    for (const server of servers.values()) server.kill('SIGQUIT')
    remove()
  }
  process.once('exit', abandon)
  const close = async () => {
    process.off('exit', abandon)
    for (const server of servers.values()) await endServer(server)
    remove()
  }
  try {
    return { ...(await startBoth(folder, servers)), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function startBoth(
  folder: string,
  servers: Map<string, ChildProcess>,
): Promise<Omit<PrimaryAndStandby, 'close'>> {
  const [primaryPort, standbyPort] = [await freePort(), await freePort()]
  const programs = programsIn(folder)
  const [primaryFolder, standbyFolder] = [join(folder, 'primary'), join(folder, 'standby')]
  programs.run('initdb', ['-D', primaryFolder, '-U', USER, '-A', 'trust', '--encoding=UTF8', '--locale=C', '--no-sync'])
  // Nothing runs in it yet, so a copy is a base backup.
  cpSync(primaryFolder, standbyFolder, { recursive: true })
  writeFileSync(join(standbyFolder, 'standby.signal'), '')
  programs.own(standbyFolder)
  const source = `host=127.0.0.1 port=${primaryPort} user=${USER} application_name=standby`
  servers.set('primary', programs.serve(primaryFolder, { port: primaryPort, synchronous_standby_names: 'standby' }))
  const more = { port: standbyPort, primary_conninfo: source, hot_standby_feedback: 'on' }
  servers.set('standby', programs.serve(standbyFolder, more))
  const [primary, standby] = [addressOf(primaryPort), addressOf(standbyPort)]
  await untilTrue(primary, `select exists (select from pg_stat_replication where sync_state = 'sync') as holds`)
  await untilTrue(standby, 'select pg_is_in_recovery() as holds')
  return {
    primary,
    standby,
    both: `postgres://${USER}@127.0.0.1:${primaryPort},127.0.0.1:${standbyPort}/postgres?sslmode=disable`,
    pids: [...servers.values()].map(({ pid }) => pid!),
    onPrimary: (statement) => ask(primary, statement),
    onStandby: (statement) => ask(standby, statement),
    async failOver() {
      await endServer(servers.get('primary')!)
      await ask(standby, 'select pg_promote()')
    },
  }
}

const addressOf = (port: number) => `postgres://${USER}@127.0.0.1:${port}/postgres?sslmode=disable`

/** PostgreSQL refuses to run as root. */
function programsIn(folder: string) {
  const account = serverAccount(join(folder, 'primary'))
  const binaries = copyBinaries(findBinaries(), folder)
  const env = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', ...linkLibraries(binaries, join(folder, 'lib')) }
  const options = { cwd: '/', env, stdio: 'ignore', ...(account ?? {}) } as const
  const own = (path: string) => {
    if (account) execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, path])
  }
  const program = (name: string) => join(binaries.folder, 'bin', name)
  return {
    own,
    run(name: string, args: readonly string[]) {
      mkdirSync(args[1]!, { mode: 0o700 })
      own(args[1]!)
      execFileSync(program(name), args, options)
    },
    serve(data: string, more: Readonly<Record<string, string | number>>): ChildProcess {
      const settings = Object.entries({ ...SETTINGS, ...more }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
      return spawn(program('postgres'), ['-D', data, ...settings], options)
    },
  }
}

/** Its processes end without a word to anybody but their clients. */
async function endServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const ended = once(server, 'exit')
  server.kill('SIGQUIT')
  await ended
}

async function ask<Row extends pg.QueryResultRow>(address: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: 10_000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Row>(statement)).rows
  } finally {
    await client.end()
  }
}

async function untilTrue(address: string, question: string): Promise<void> {
  const giveUpAtMs = performance.now() + 60_000
  for (;;) {
    const rows = await ask<{ holds: boolean }>(address, question).catch(() => [])
    if (rows[0]?.holds) return
    if (performance.now() > giveUpAtMs) throw new Error(`never true: ${question}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
