import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { RETRY_MS } from './live-changes.ts'

interface Repeating {
  clock: Clock
  log: Log
  signal: AbortSignal
}

/** Does something until it succeeds or `signal` is aborted. */
export async function retryUntilDone(
  work: () => Promise<void>,
  failure: string,
  { clock, log, signal }: Repeating,
): Promise<void> {
  while (!signal.aborted) {
    try {
      return await work()
    } catch (error) {
      if (signal.aborted) return
      log.error({ err: error }, failure)
      await clock.wait(RETRY_MS, signal)
    }
  }
}

/** Does something at intervals until `signal` is aborted, whether it succeeds or not. */
export async function repeatEvery(
  milliseconds: number,
  work: () => Promise<void>,
  failure: string,
  { clock, log, signal }: Repeating,
): Promise<void> {
  while (!signal.aborted) {
    await clock.wait(milliseconds, signal)
    if (!signal.aborted) await work().catch((error: unknown) => log.warn({ err: error }, failure))
  }
}
