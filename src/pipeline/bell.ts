import type { Clock } from '../kernel/clock.ts'

/** What a loop sleeps beside until there is work. One sleeper. */
export interface Bell {
  /** Ends the present sleep; when nobody sleeps, the next one ends at once. */
  ring(): void
  /** Forgets earlier rings: whoever calls is about to look for what they announced. */
  hush(): void
  /** Resolves after `milliseconds`, with a ring, or when `signal` is aborted. Leaves no timer behind. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>
}

/**
 * Wakes nobody. A sleeper is woken once: many rings may come before it looks around, and each would cost an error with
 * a stack.
 */
const NOBODY = (): void => undefined

export function createBell(clock: Clock): Bell {
  let rung = false
  let wake = NOBODY
  return {
    ring() {
      rung = true
      const ended = wake
      wake = NOBODY
      ended()
    },
    hush() {
      rung = false
    },
    async sleep(milliseconds, signal) {
      if (!rung && !signal.aborted) {
        const woken = new AbortController()
        const end = () => woken.abort()
        wake = end
        signal.addEventListener('abort', end, { once: true })
        await clock.wait(milliseconds, woken.signal)
        signal.removeEventListener('abort', end)
        wake = NOBODY
      }
      rung = false
    },
  }
}
