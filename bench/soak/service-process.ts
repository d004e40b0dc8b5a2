import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PROJECT = fileURLToPath(new URL('../../', import.meta.url))
const KEPT = 64 * 1024

export interface ServiceProcess {
  readonly pid: number
  /** Resolves when it has ended, with how. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  /** The last of what it wrote to standard error: a run may take long. */
  lastWords(): string
  /**
   * Resolves when it says on standard output that it is running; rejects when it ends before, or within the limit does
   * not.
   */
  runs(): Promise<void>
  signal(name: NodeJS.Signals): void
}

const START_LIMIT_MS = 120_000

/** Starts the built command line as an installation does, with options for Node in front. */
export function startServiceProcess(
  args: readonly string[],
  environment: Record<string, string>,
  nodeOptions: readonly string[] = [],
): ServiceProcess {
  const child = spawn(process.execPath, [...nodeOptions, join('bin', 'earshot.mjs'), ...args], {
    cwd: PROJECT,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', TMPDIR: tmpdir(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  let look = () => {}
  child.stdout.on('data', (chunk: Buffer) => {
    stdout = (stdout + chunk).slice(-KEPT)
    look()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk).slice(-KEPT)
  })
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }))
  return {
    pid: child.pid!,
    ended,
    lastWords: () => stderr,
    runs: () =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`the service does not start: ${stderr}`)), START_LIMIT_MS)
        look = () => {
          if (!/is running|The door is open/.test(stdout)) return
          clearTimeout(timer)
          resolve()
        }
        look()
        void ended.then(({ code, signal }) => {
          clearTimeout(timer)
          reject(new Error(`the service ended with ${code ?? signal} before it ran: ${stderr}`))
        })
      }),
    signal: (name) => void child.kill(name),
  }
}
