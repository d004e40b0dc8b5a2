import type { Readable } from 'node:stream'
import type { Terminal } from '../terminal/terminal.ts'

/** What commands of the client reach of the world; tests replace it. */
export interface Cli {
  env: Readonly<Record<string, string | undefined>>
  stdin: Readable & { isTTY?: boolean }
  terminal: Terminal
  fetch: typeof fetch
  now(): Date
  /** Resolves to whether a browser could be started. */
  openBrowser(address: string): Promise<boolean>
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
  isInterrupted(): boolean
  /** Names this program to the service. */
  agent: string
}
