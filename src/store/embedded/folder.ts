import { createHash } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { StartError } from '../../kernel/start-error.ts'
import type { SystemAccount } from './account.ts'

/** In bytes, without the terminating zero. */
const SOCKET_PATH_BYTES = process.platform === 'linux' ? 107 : 103
const SOCKET_NAME = '.s.PGSQL.5432'

/** For a database whose server cannot reach the data folder. */
export const ELSEWHERE = '/var/lib/earshot'

export function prepareDataFolder(dataDir: string): string {
  const folder = resolve(dataDir)
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK | constants.X_OK)
    return realpathSync(folder)
  } catch (error) {
    throw new StartError(
      `The data folder ${folder} cannot be written to (${(error as NodeJS.ErrnoException).code}); choose another ` +
        'with DATA_DIR.',
    )
  }
}

export function findDataFolder(dataDir: string): string {
  return existsSync(dataDir) ? realpathSync(dataDir) : resolve(dataDir)
}

/** Inside the data folder, or where an earlier start put it. */
export function homeOf(dataFolder: string): string {
  const pointer = join(dataFolder, 'database-folder')
  return existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : join(dataFolder, 'database')
}

export function moveHome(dataFolder: string): string {
  const home = join(ELSEWHERE, createHash('sha256').update(dataFolder).digest('hex').slice(0, 12))
  makeHome(home)
  writeFileSync(join(dataFolder, 'database-folder'), `${home}\n`)
  return home
}

/** Others may pass through to their files, but not list the folder. */
export function makeHome(home: string): void {
  const made = mkdirSync(home, { recursive: true, mode: 0o711 })
  if (made && process.platform !== 'win32') chmodSync(home, 0o711)
}

/** A short private folder where the path would be too long. */
export function socketFolder(home: string, account: SystemAccount | null): string {
  const usual = join(home, 'run')
  if (Buffer.byteLength(join(usual, SOCKET_NAME)) <= SOCKET_PATH_BYTES) return privateFolder(usual, account)
  const short = join(tmpdir(), `earshot-${createHash('sha256').update(home).digest('hex').slice(0, 12)}`)
  try {
    return privateFolder(short, account)
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    // Somebody else took the predictable name.
    const unforeseen = mkdtempSync(join(tmpdir(), 'earshot-'))
    return privateFolder(unforeseen, account)
  }
}

/** Leftovers of a killed server make the next one fail. */
export function clearSocketFolder(folder: string): void {
  for (const name of [SOCKET_NAME, `${SOCKET_NAME}.lock`]) rmSync(join(folder, name), { force: true })
}

function privateFolder(path: string, account: SystemAccount | null): string {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const found = lstatSync(path)
  const owners = [process.getuid?.() ?? found.uid, account?.uid]
  if (!found.isDirectory() || !owners.includes(found.uid))
    throw new StartError(`The folder ${path} belongs to somebody else.`)
  if (process.platform !== 'win32') chmodSync(path, 0o700)
  if (account) chownSync(path, account.uid, account.gid)
  return path
}
