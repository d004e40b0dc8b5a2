import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  closeSync,
  copyFileSync,
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
import { lastLines, startFailure } from './log-file.ts'

/** The only role; its password is random and kept beside the database. */
export const ROLE = 'earshot'

export interface Surroundings {
  readonly home: string
  readonly account: Account | null
  readonly launch: Launch
  readonly binaries: Binaries
  /** Settings of the environment that the programs need. */
  readonly environment: Readonly<Record<string, string>>
  readonly durable: boolean
}

export function clusterOf(home: string): string {
  return join(home, 'cluster')
}

/**
 * Makes the database files unless they exist. They are made in a folder of another name and moved when complete, so an
 * interrupted start leaves nothing that looks like a database; the remains are removed by the next one.
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

/** The password of the only role. */
export function readPassword(home: string): string {
  try {
    return readFileSync(passwordFile(home), 'utf8').trim()
  } catch (error) {
    throw new StartError(
      `The database password in ${passwordFile(home)} cannot be read (${(error as NodeJS.ErrnoException).code}); run Earshot as the user who made it.`,
    )
  }
}

async function initialise(at: Surroundings, unfinished: string): Promise<void> {
  const cluster = join(unfinished, 'cluster')
  const password = join(unfinished, 'password')
  mkdirSync(unfinished, { mode: 0o711 })
  mkdirSync(cluster, { mode: 0o700 })
  writeFileSync(passwordFile(at.home), randomBytes(24).toString('base64url'), { mode: 0o600, flush: at.durable })
  copyFileSync(passwordFile(at.home), password)
  // Whoever runs the server owns all of the database anyway, so it may own the password too.
  if (at.account) for (const path of [cluster, password, passwordFile(at.home)]) chownSync(path, at.account.uid, at.account.gid)
  const { code, output } = await runInitdb(at, cluster, password)
  if (code !== 0) throw startFailure('The database could not be set up', lastLines(output))
}

/**
 * The built-in locale orders and folds text alike on every system; texts in the order of their code points need no new
 * indexes when the database moves to another server.
 */
function runInitdb(at: Surroundings, cluster: string, password: string): Promise<{ code: number; output: string }> {
  const { file, args, options } = at.launch(join(at.binaries.folder, 'bin', 'initdb'), [
    ...['-D', cluster, '-U', ROLE, '--auth=scram-sha-256', `--pwfile=${password}`, '--data-checksums', '--encoding=UTF8'],
    ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--set=timezone=UTC', '--set=log_timezone=UTC', '--no-instructions'],
    ...(at.durable ? [] : ['--no-sync']),
  ])
  return new Promise((done) => {
    const child = spawn(file, args, { ...options, cwd: '/', env: { ...process.env, ...at.environment, LC_ALL: 'C' }, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const keep = (text: Buffer) => {
      output = (output + text.toString('utf8')).slice(-4000)
    }
    child.stdout?.on('data', keep)
    child.stderr?.on('data', keep)
    child.once('error', (error) => done({ code: 1, output: error.message }))
    child.once('close', (code) => done({ code: code ?? 1, output }))
  })
}

function checkCluster({ home, account, binaries }: Surroundings): void {
  const cluster = clusterOf(home)
  const me = account?.uid ?? process.getuid?.()
  const owner = statSync(cluster).uid
  if (me !== undefined && owner !== me && process.platform !== 'win32') {
    throw new StartError(`The database in ${cluster} belongs to user ${owner}; run Earshot as that user, or as root.`)
  }
  const major = Number(readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim())
  if (major !== binaries.major) {
    throw new StartError(
      `The database in ${cluster} was made by PostgreSQL ${major} and cannot be opened by the built-in PostgreSQL ${binaries.major}; run the Earshot that made it, or set DATABASE_URL to a server that holds its data.`,
    )
  }
}

function passwordFile(home: string): string {
  return join(home, 'password')
}

/** A renamed folder survives a power cut only when its parent has reached the disk. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
