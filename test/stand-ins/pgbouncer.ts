import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabaseLink } from './database-link.ts'
import { freePort } from './free-port.ts'

/** The program of pgbouncer; PGBOUNCER names it where it is not found by its name. */
const PROGRAM = process.env['PGBOUNCER'] ?? 'pgbouncer'

/** Its version, such as 1.18.0; null if there is none. */
const VERSION = versionOf(PROGRAM)

/** Tests that need the pooler are left out where there is none, except in CI, which installs it. */
export const NO_PGBOUNCER = VERSION === null && process.env['CI'] === undefined

/** Whether it keeps prepared statements in transaction mode. */
export const KEEPS_PREPARED = VERSION !== null && Number(VERSION.split('.')[1]) >= 21

/** pgbouncer refuses to run as root. */
const ACCOUNT = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

function versionOf(program: string): string | null {
  try {
    const said = execFileSync(program, ['--version'], { encoding: 'utf8' })
    return /PgBouncer (\S+)/.exec(said)?.[1] ?? null
  } catch {
    return null
  }
}

/** A pooler in transaction mode in front of a database, with two sessions for everybody. */
export interface Pooler {
  /** Leads to the database by way of it. */
  connection: string
  close(): Promise<void>
}

export async function startPooler(address: string): Promise<Pooler> {
  // The socket of the built-in server is closed to the account of the pooler.
  const link = await openDatabaseLink(address)
  const { host, port: serverPort, user, password, database } = link.connection
  const folder = mkdtempSync(join(tmpdir(), 'earshot-pooler-'))
  const port = await freePort()
  const configuration = join(folder, 'pgbouncer.ini')
  const server = Object.entries({ host, port: serverPort, user, password, dbname: database })
    .filter(([, value]) => value)
    .map(([name, value]) => `${name}='${value}'`)
    .join(' ')
  writeFileSync(
    configuration,
    `[databases]\nearshot = ${server}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\n` +
      'unix_socket_dir =\nauth_type = any\npool_mode = transaction\ndefault_pool_size = 2\nserver_tls_sslmode = disable\n',
  )
  chmodSync(folder, 0o755)
  const child = spawn(PROGRAM, [configuration], { ...ACCOUNT, cwd: '/', stdio: 'ignore' })
  await listens(port, child)
  return {
    connection: `postgres://${user}@127.0.0.1:${port}/earshot?sslmode=disable`,
    async close() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      await link.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function listens(port: number, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) return
  }
  throw new Error(`pgbouncer ended with ${child.exitCode}`)
}
