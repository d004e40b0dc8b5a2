import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { WardenMessage } from './warden.ts'

export interface Warden {
  tell(message: WardenMessage): void
  close(): Promise<void>
}

/** Detached, so that a signal to the whole group of the harness leaves the one that tidies up after it. */
export function startWarden(): Warden {
  const path = fileURLToPath(new URL('warden.ts', import.meta.url))
  const child = fork(path, [], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
  })
  return {
    tell: (message) => void (child.connected && child.send(message)),
    async close() {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}
