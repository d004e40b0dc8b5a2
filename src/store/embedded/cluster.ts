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
import type { Launch, SystemAccount } from './account.ts'
import type { Binaries } from './binaries.ts'
import { serverEnvironment } from './environment.ts'
import { lastLines, startFailure } from './log-file.ts'

/** Owns the database but is no superuser; its random password is stored beside the database. */
export const ROLE = 'earshot'
/** PostgreSQL requires one. Nobody can connect as it. */
const SUPERUSER = 'postgres'
export const DATABASE = 'postgres'

export interface Surroundings {
  readonly home: string
  readonly account: SystemAccount | null
  readonly launch: Launch
  readonly binaries: Binaries
  readonly environment: Readonly<Record<string, string>>
  readonly durable: boolean
  readonly administrator: boolean
}

export function clusterOf(home: string): string {
  return join(home, 'cluster')
}

/**
 * An interrupted start leaves nothing that looks like a database: the cluster is renamed when complete. The next start
 * removes the remains.
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
        'run Earshot as the user who created it.',
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
  // A single-user server accepts no connections, and a pipe hides the password from other users.
  await setUp(
    at,
    'postgres',
    ['--single', '-D', cluster, ...(at.durable ? [] : ['-c', 'fsync=off']), DATABASE],
    firstStatements(password, at.administrator),
  )
  writeFileSync(join(cluster, 'pg_hba.conf'), ACCESS, { flush: at.durable })
}

/** The built-in locale is the same on every system, and indexes by code point stay valid on another server. */
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

/** The single-user server reads one statement a line. */
function firstStatements(password: string, administrator: boolean): string {
  return [
    `create role ${ROLE} login createdb ${administrator ? 'superuser' : 'nosuperuser'} password '${password}'`,
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
  // Earlier builds gave the password to the server's user, whom other services may share.
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

/** A rename survives a power cut only once its parent folder is on the disk. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
