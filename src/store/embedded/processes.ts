import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { StartError } from '../../kernel/start-error.ts'
import { serverEnvironment } from './environment.ts'

const BOOT_ID = '/proc/sys/kernel/random/boot_id'

/**
 * Tells a process from a later one with its number: boot id and start tick on Linux, start time on macOS; on Windows,
 * where that takes a slow tool, only that it runs. Null without the process; a zombie counts as ended. Throws a
 * StartError where the boot id is hidden: others would take a tag without it for that of an ended process.
 */
export function startTagOf(pid: number, bootIdFile = BOOT_ID): string | null {
  if (process.platform === 'linux') {
    const tick = linuxStartTick(pid)
    return tick === null ? null : `${bootIdFrom(bootIdFile)}.${tick}`
  }
  if (!isAlive(pid)) return null
  return process.platform === 'win32' ? 'running' : unixStartTag(pid)
}

export function isRunning(pid: number): boolean {
  return (process.platform === 'linux' ? linuxStartTick(pid) : startTagOf(pid)) !== null
}

export function commandOf(pid: number): string | null {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\u0000', ' ')
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch {
    return null
  }
}

export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}

function linuxStartTick(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The program's name in brackets may contain anything, so fields count from its end.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' || state === 'X' ? null : fields[18]!
  } catch {
    return null
  }
}

function bootIdFrom(file: string): string {
  try {
    return readFileSync(file, 'utf8').slice(0, 8)
  } catch {
    throw new StartError(
      `${file} cannot be read, and the built-in database needs it to know its owner. Allow it: in a unit of systemd, ` +
        'remove ProcSubset=pid.',
    )
  }
}

function unixStartTag(pid: number): string | null {
  try {
    const started = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: serverEnvironment(),
    })
    return started.trim().replaceAll(/[^0-9A-Za-z]+/g, '.') || null
  } catch {
    return null
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
