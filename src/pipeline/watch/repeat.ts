import type { Clock } from '../../kernel/clock.ts'
import { FOLLOW_RETRY_MS } from './live-changes.ts'

interface Repeating {
  clock: Clock
  signal: AbortSignal
}

export async function retryUntilDone(
  work: () => Promise<void>,
  onFailure: (error: unknown) => void,
  { clock, signal }: Repeating,
): Promise<void> {
  while (!signal.aborted) {
    try {
      return await work()
    } catch (error) {
      if (signal.aborted) return
      onFailure(error)
      await clock.wait(FOLLOW_RETRY_MS, signal)
    }
  }
}

export async function repeatEvery(
  milliseconds: number,
  work: () => Promise<void>,
  onFailure: (error: unknown) => void,
  { clock, signal }: Repeating,
): Promise<void> {
  while (!signal.aborted) {
    await clock.wait(milliseconds, signal)
    if (!signal.aborted) await work().catch(onFailure)
  }
}
