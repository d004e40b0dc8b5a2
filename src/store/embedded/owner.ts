import { closeSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../kernel/clock.ts'
import { StartError } from '../../kernel/start-error.ts'
import { startTagOf } from './processes.ts'

export type OwnerPurpose = 'service' | 'command'

export interface FolderOwner {
  readonly pid: number
  readonly purpose: OwnerPurpose
}

const COMMAND_LIMIT_MS = 60_000
const SERVICE_TRIES = 4

/**
 * Makes this process the only owner of `home`, or throws a StartError; waits up to a minute for a command. Returns a
 * release.
 *
 * Claimants create their entry, then look for others. Entries carry process number and start time, so that only those
 * of ended processes are removed. Two claimants at once see each other, step back and retry after random times.
 */
export async function becomeOwner(home: string, purpose: OwnerPurpose, clock: Clock): Promise<() => void> {
  const folder = join(home, 'owners')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const mine = nameOf({ pid: process.pid, purpose })
  const giveUpAt = clock.monotonicMs() + COMMAND_LIMIT_MS
  for (let tries = 1; ; tries += 1) {
    const other = take(folder, mine)
    if (other === null) return () => rmSync(join(folder, mine), { force: true })
    const waits = other.purpose === 'command' ? clock.monotonicMs() < giveUpAt : tries < SERVICE_TRIES
    if (!waits)
      throw new StartError(
        `Another Earshot (process ${other.pid}) already uses the data in ${home}; stop it first or choose ` +
          'another DATA_DIR.',
      )
    await clock.wait(30 + 70 * Math.random())
  }
}

export function findOwner(home: string): FolderOwner | null {
  return others(join(home, 'owners'), '')[0] ?? null
}

function nameOf({ pid, purpose }: FolderOwner): string {
  return `${pid}-${startTagOf(pid)}-${purpose}`
}

function ownerNamed(name: string): FolderOwner {
  return { pid: Number(name.split('-')[0]), purpose: name.endsWith('-command') ? 'command' : 'service' }
}

function take(folder: string, mine: string): FolderOwner | null {
  const path = join(folder, mine)
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return ownerNamed(mine)
    throw error
  }
  const other = others(folder, mine)[0]
  if (other === undefined) return null
  rmSync(path, { force: true })
  return other
}

/** Services first; removes entries of ended processes. */
function others(folder: string, mine: string): FolderOwner[] {
  const owners: FolderOwner[] = []
  for (const name of entries(folder)) {
    if (name === mine) continue
    const owner = ownerNamed(name)
    if (name === nameOf(owner)) owners.push(owner)
    else forget(join(folder, name))
  }
  return owners.sort((a, b) => (a.purpose < b.purpose ? 1 : -1))
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

function forget(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch (error) {
    // A user who may look may lack the right to remove.
    if (!['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
