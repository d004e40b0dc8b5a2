import type { Clock } from '../clock.ts'

/**
 * Wakes nobody. A sleeper is woken once: many wake-ups may come before it looks around, and each would cost an error
 * with a stack.
 */
const NOBODY = (): void => undefined

/** What a loop sleeps on until there is work. One sleeper. */
export class WakeUp {
  private readonly clock: Clock
  private isDue = false
  private wakeSleeper = NOBODY

  constructor(clock: Clock) {
    this.clock = clock
  }

  /** Ends the present sleep; when nobody sleeps, the next one ends at once. Bound, so that it can be handed on. */
  readonly wake = (): void => {
    this.isDue = true
    const wakeSleeper = this.wakeSleeper
    this.wakeSleeper = NOBODY
    wakeSleeper()
  }

  /** Forgets earlier wake-ups: the caller is about to look for what they announced. */
  clear(): void {
    this.isDue = false
  }

  /** Resolves after `milliseconds`, with a wake-up, or when `signal` is aborted. Leaves no timer behind. */
  async sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (!this.isDue && !signal.aborted) {
      const woken = new AbortController()
      const end = () => woken.abort()
      this.wakeSleeper = end
      signal.addEventListener('abort', end, { once: true })
      await this.clock.wait(milliseconds, woken.signal)
      signal.removeEventListener('abort', end)
      this.wakeSleeper = NOBODY
    }
    this.isDue = false
  }
}
