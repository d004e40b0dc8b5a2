import { closeSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../kernel/clock.ts'
import { StartError } from '../../kernel/start-error.ts'
import { startTagOf } from './processes.ts'

/** A service keeps the database for as long as it runs; a command gives it back within seconds. */
export type Purpose = 'service' | 'command'

export interface Owner {
  readonly pid: number
  readonly purpose: Purpose
}

const COMMAND_LIMIT_MS = 60_000
const SERVICE_TRIES = 4

/**
 * Makes this process the only owner of the database in `home`, or refuses with one sentence. Waits up to a minute for a
 * short-lived command that holds it.
 *
 * Each claimant puts an entry of its own into a folder, then looks at the others' entries. An entry is named by process
 * number and start, so those of ended processes are recognised and removed without ever removing a living one. Two who
 * come in the same moment see each other; both step back and try again after different times.
 *
 * @returns gives the ownership back
 */
export async function becomeOwner(home: string, purpose: Purpose, clock: Clock): Promise<() => void> {
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

/** The living owner of the database in `home`. */
export function findOwner(home: string): Owner | null {
  return others(join(home, 'owners'), '')[0] ?? null
}

/** The entry of a process that runs now. */
function nameOf({ pid, purpose }: Owner): string {
  return `${pid}-${startTagOf(pid)}-${purpose}`
}

function ownerNamed(name: string): Owner {
  return { pid: Number(name.split('-')[0]), purpose: name.endsWith('-command') ? 'command' : 'service' }
}

function take(folder: string, mine: string): Owner | null {
  const path = join(folder, mine)
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    // This very process holds it already.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return ownerNamed(mine)
    throw error
  }
  const other = others(folder, mine)[0]
  if (other === undefined) return null
  rmSync(path, { force: true })
  return other
}

/** Living owners but `mine`, services first; entries of ended processes are removed where that is allowed. */
function others(folder: string, mine: string): Owner[] {
  const owners: Owner[] = []
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
    // Another user may look without being allowed to tidy up.
    if (!['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
