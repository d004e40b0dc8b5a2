import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { StartError } from '../../kernel/start-error.ts'
import type { Account, Launch } from './account.ts'
import type { Binaries } from './binaries.ts'
import { serverEnvironment } from './environment.ts'
import { lastLines, startFailure } from './log-file.ts'

/** The service's role: owner of the database but no superuser. Its random password is stored beside the database. */
export const ROLE = 'earshot'
/** PostgreSQL requires a superuser. Nobody can connect as this one. */
const SUPERUSER = 'postgres'
/** The only database; every cluster has it. */
export const DATABASE = 'postgres'

export interface Surroundings {
  readonly home: string
  readonly account: Account | null
  readonly launch: Launch
  readonly binaries: Binaries
  readonly environment: Readonly<Record<string, string>>
  readonly durable: boolean
  /** Makes the role of a new database a superuser, for tests and benches that read the server's files. */
  readonly administrator: boolean
}

export function clusterOf(home: string): string {
  return join(home, 'cluster')
}

/**
 * Creates the cluster in a temporary folder and renames it when complete, so that an interrupted start leaves nothing
 * that looks like a database. The next start removes the remains.
 */
export async function ensureCluster(at: Surroundings): Promise<void> {
  for (const name of readdirSync(at.home).filter((entry) => entry.startsWith('unfinished-')))
    rmSync(join(at.home, name), { recursive: true, force: true, maxRetries: 5 })
  if (existsSync(clusterOf(at.home))) return checkCluster(at)
  const unfinished = join(at.home, `unfinished-${process.pid}-${randomBytes(4).toString('hex')}`)
  try {
    await initialise(at, unfinished)
    renameSync(join(unfinished, 'cluster'), clusterOf(at.home))
    if (at.durable) syncFolder(at.home)
  } finally {
    rmSync(unfinished, { recursive: true, force: true, maxRetries: 5 })
  }
}

export function readPassword(home: string): string {
  try {
    return readFileSync(passwordFile(home), 'utf8').trim()
  } catch (error) {
    throw new StartError(
      `The database password in ${passwordFile(home)} cannot be read (${(error as NodeJS.ErrnoException).code}); ` +
        'run Earshot as the user who made it.',
    )
  }
}

async function initialise(at: Surroundings, unfinished: string): Promise<void> {
  const cluster = join(unfinished, 'cluster')
  mkdirSync(unfinished, { mode: 0o711 })
  mkdirSync(cluster, { mode: 0o700 })
  const password = randomBytes(24).toString('base64url')
  writeFileSync(passwordFile(at.home), password, { mode: 0o600, flush: at.durable })
  if (at.account) chownSync(cluster, at.account.uid, at.account.gid)
  await setUp(at, 'initdb', initdbArguments(cluster, at.durable))
  // A single-user server accepts no connections: its input comes by a pipe, where no other user sees the password.
  await setUp(
    at,
    'postgres',
    ['--single', '-D', cluster, ...(at.durable ? [] : ['-c', 'fsync=off']), DATABASE],
    firstStatements(password, at.administrator),
  )
  writeFileSync(join(cluster, 'pg_hba.conf'), ACCESS, { flush: at.durable })
}

/**
 * The built-in locale sorts and folds text alike on every system; with sorting by code point, indexes stay valid when
 * the database moves to another server.
 */
function initdbArguments(cluster: string, durable: boolean): string[] {
  return [
    ...['-D', cluster, '-U', SUPERUSER, '--auth=reject', '--data-checksums', '--encoding=UTF8'],
    ...[
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--set=timezone=UTC',
      '--set=log_timezone=UTC',
      '--no-instructions',
    ],
    ...(durable ? [] : ['--no-sync']),
  ]
}

/** One statement a line, as the single-user server reads them. */
function firstStatements(password: string, administrator: boolean): string {
  return [
    `create role ${ROLE} login createdb ${administrator ? 'superuser' : 'nosuperuser'} password '${password}'`,
    // A running server is asked for its data folder.
    `grant pg_read_all_settings to ${ROLE}`,
    `alter database ${DATABASE} owner to ${ROLE}`,
    '',
  ].join('\n')
}

const ACCESS = `# The service connects with its password; nobody connects as the superuser.
local all ${ROLE} scram-sha-256
host all ${ROLE} 127.0.0.1/32 scram-sha-256
`

async function setUp(at: Surroundings, program: string, parameters: readonly string[], input = ''): Promise<void> {
  const { file, args, options } = at.launch(join(at.binaries.folder, 'bin', program), parameters)
  const { code, output } = await new Promise<{ code: number; output: string }>((done) => {
    const child = spawn(file, args, {
      ...options,
      cwd: '/',
      env: serverEnvironment(at.environment),
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    let output = ''
    const keep = (text: Buffer) => {
      output = (output + text.toString('utf8')).slice(-4000)
    }
    child.stdout?.on('data', keep)
    child.stderr?.on('data', keep)
    child.once('error', (error) => done({ code: 1, output: error.message }))
    child.once('close', (code) => done({ code: code ?? 1, output }))
    // A program that has ended reports it by its exit code.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
  })
  if (code !== 0) throw startFailure('The database could not be set up', lastLines(output))
}

function checkCluster({ home, account, binaries }: Surroundings): void {
  const cluster = clusterOf(home)
  const me = account?.uid ?? process.getuid?.()
  const owner = statSync(cluster).uid
  if (me !== undefined && owner !== me && process.platform !== 'win32') {
    throw new StartError(`The database in ${cluster} belongs to user ${owner}; run Earshot as that user, or as root.`)
  }
  // Earlier builds gave the password to the server's user, who may be shared with other services.
  if (account !== null && statSync(passwordFile(home)).uid !== 0) chownSync(passwordFile(home), 0, 0)
  const major = Number(readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim())
  if (major !== binaries.major) {
    throw new StartError(
      `The database in ${cluster} was made by PostgreSQL ${major} and cannot be opened by the built-in PostgreSQL ` +
        `${binaries.major}; run the Earshot that made it, or set DATABASE_URL to a server that holds its data.`,
    )
  }
}

function passwordFile(home: string): string {
  return join(home, 'password')
}

/** A rename survives a power cut only once its parent folder has reached the disk. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
