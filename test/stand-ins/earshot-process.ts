import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { PLATFORMS } from '../../src/domain/platform/platforms.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { startEmbeddedPostgres } from '../../src/store/embedded/embedded-postgres.ts'

const PROJECT = fileURLToPath(new URL('../../', import.meta.url))

// Building takes long only after a change, but then longer than a single test may. A benchmark uses none of it.
if (process.env['VITEST'] !== undefined)
  await promisify(execFile)(process.execPath, [join('scripts', 'setup.mjs')], { cwd: PROJECT })

/** How a command ended. */
export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

/** The command line in a process of its own. */
export interface EarshotProcess {
  readonly pid: number
  readonly ended: Promise<Ended>
  /** Resolves when standard output holds the text; rejects when the process ends before. */
  says(text: string): Promise<void>
  signal(name: NodeJS.Signals): void
}

export type Environment = Record<string, string>

/**
 * Starts the command line as it was built when the tests of a file began: translating the sources anew takes a process
 * longer than most of what it is started for. Only what `environment` says of settings reaches it.
 */
export function earshot(args: readonly string[], environment: Environment): EarshotProcess {
  const child = spawn(process.execPath, [join('dist', 'main', 'cli.js'), ...args], {
    cwd: PROJECT,
    env: surroundings(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return followed(child)
}

/**
 * Starts the built command line, as an installation does: `bin/earshot.mjs`, which builds it first where that is
 * needed.
 */
export function installedEarshot(args: readonly string[], environment: Environment): EarshotProcess {
  const child = spawn(process.execPath, [join('bin', 'earshot.mjs'), ...args], {
    cwd: PROJECT,
    env: surroundings(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return followed(child)
}

/** Platforms that nobody stands in for are switched off: nothing that a test starts may ask a real one. */
function surroundings(environment: Environment): Environment {
  const off = PLATFORMS.filter((platform) => environment[`SOURCE_${platform.toUpperCase()}_URL`] === undefined)
  const own = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', TMPDIR: tmpdir() }
  return { ...own, ...(off.length > 0 ? { SOURCES_OFF: off.join(',') } : {}), ...environment }
}

function followed(child: ChildProcess): EarshotProcess {
  let stdout = ''
  let stderr = ''
  const listeners = new Set<() => void>()
  child.stdout!.on('data', (chunk: Buffer) => {
    stdout += chunk
    for (const listener of listeners) listener()
  })
  child.stderr!.on('data', (chunk: Buffer) => {
    stderr += chunk
  })
  const ended = once(child, 'close').then(([code, signal]): Ended => ({ code, signal, stdout, stderr }))
  return {
    pid: child.pid!,
    ended,
    async says(text) {
      const said = new Promise<void>((resolve) => {
        const look = () => {
          if (stdout.includes(text)) resolve()
        }
        listeners.add(look)
        look()
      })
      const early = ended.then((end) =>
        Promise.reject(
          new Error(`the process ended with ${end.code ?? end.signal} before it said "${text}": ${end.stderr}`),
        ),
      )
      early.catch(() => undefined)
      await Promise.race([said, early])
    },
    signal: (name) => void child.kill(name),
  }
}

/** A data folder for a test, and the way to end whatever database was left running on it and remove it. */
export function temporaryDataDir(): { dataDir: string; remove(): Promise<void> } {
  const dataDir = mkdtempSync(join(tmpdir(), 'earshot-process-'))
  return {
    dataDir,
    async remove() {
      const server = await startEmbeddedPostgres({ dataDir, log: silentLog })
      await server.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/**
 * Proportional set size in MB of processes: what each holds, with shared pages divided among their users. Linux only.
 */
export function memoryMb(pids: readonly number[]): number {
  const kilobytes = pids.map((pid) =>
    Number(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8').match(/^Pss:\s+(\d+) kB$/m)?.[1] ?? 0),
  )
  return kilobytes.reduce((sum, kilobyte) => sum + kilobyte, 0) / 1024
}

/** A process and everything that descends from it. */
export function familyOf(pid: number): number[] {
  const parents = readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    const stat = parentOf(Number(name))
    return stat ? [[Number(name), stat] as const] : []
  })
  const family = [pid]
  for (const member of family) for (const [child, parent] of parents) if (parent === member) family.push(child)
  return family
}

/** The parent of a process; null when it has ended meanwhile. */
function parentOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 4).split(' ')[0])
  } catch {
    return null
  }
}

/** A workspace that waits for Acme with a webhook, set up through the interface. */
export async function watchAcme(origin: string, key: string, url: string): Promise<void> {
  const call = async (path: string, body: unknown) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const reply = await fetch(`${origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!reply.ok) throw new Error(`POST ${path} answered ${reply.status}: ${await reply.text()}`)
    return (await reply.json()) as { id: string }
  }
  await call('/v1/keywords', { term: 'Acme' })
  const channel = await call('/v1/channels', { kind: 'webhook', url })
  await call('/v1/alerts', {
    name: 'All',
    mode: 'instant',
    event: 'mention.matched',
    filter: { minRelevance: 0 },
    channelIds: [channel.id],
  })
}
