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

export function createBell(clock: Clock): Bell {
  let rung = false
  let wake: () => void = () => undefined
  return {
    ring() {
      rung = true
      wake()
    },
    hush() {
      rung = false
    },
    async sleep(milliseconds, signal) {
      if (!rung && !signal.aborted) {
        const woken = new AbortController()
        wake = () => woken.abort()
        signal.addEventListener('abort', wake, { once: true })
        await clock.wait(milliseconds, woken.signal)
        signal.removeEventListener('abort', wake)
      }
      rung = false
    },
  }
}
