import { existsSync, readFileSync, rmSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * Ends what a run started when the run itself could not: it was killed, it failed before it could tidy up, or it took
 * longer than it may. Told by messages what there is to end.
 */
export type WardenMessage =
  | { kind: 'process'; pid: number; running: boolean }
  /** The note in which the database server names its process, and the folder of the run. */
  | { kind: 'folder'; path: string; postmaster: string }
  | { kind: 'limit'; ms: number; harness: number }

const pids = new Set<number>()
let folder: { path: string; postmaster: string } | null = null

process.on('message', (message: WardenMessage) => {
  if (message.kind === 'process' && message.running) pids.add(message.pid)
  else if (message.kind === 'process') pids.delete(message.pid)
  else if (message.kind === 'folder') folder = message
  else setTimeout(() => void endAll([message.harness]), message.ms)
})
process.on('disconnect', () => void endAll([]))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)

async function endAll(more: readonly number[]): Promise<void> {
  for (const pid of [...pids, ...more]) send(pid, 'SIGKILL')
  if (folder) await endDatabase(folder)
  process.exit(0)
}

async function endDatabase({ path, postmaster }: { path: string; postmaster: string }): Promise<void> {
  const pid = existsSync(postmaster) ? Number.parseInt(readFileSync(postmaster, 'utf8'), 10) : Number.NaN
  if (pid > 0) {
    send(pid, 'SIGQUIT')
    for (let tried = 0; tried < 50 && send(pid, 0); tried += 1) await delay(100)
  }
  rmSync(path, { recursive: true, force: true })
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    // It has ended by itself.
    return false
  }
}
