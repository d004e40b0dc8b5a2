import { CommandError, type ExitCode } from '../../cli/index.ts'
import { type Clock, SECOND_MS } from '../../kernel/clock.ts'

export interface ListenOptions {
  forwardTo: string
  /** One webhook channel; all if absent. */
  channel?: string
  key?: string
  /** Of the installation, without a slash at its end. */
  url: string
  secret?: string
}

/** Access to the outside. `say` cleans what strangers wrote; tests replace it. */
export interface LogFollowing {
  clock: Clock
  fetch: typeof fetch
  say(line: string): void
  signal: AbortSignal
}

const FIRST_WAIT_MS = SECOND_MS / 2
const LONGEST_WAIT_MS = 15 * SECOND_MS

export function waitAfter(tried: number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(tried - 1, 10))
}

/** Such as ECONNREFUSED; `fetch` has it in its cause. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code
  return cause instanceof Error && cause.name === 'TimeoutError' ? 'no answer in time' : 'no connection'
}

export function stop(message: string, exitCode?: ExitCode): never {
  throw new CommandError(message, exitCode)
}
