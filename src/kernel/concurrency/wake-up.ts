import type { Clock } from '../clock.ts'

/** A sleeper is woken once: more abort errors would each cost a stack. */
const NOBODY = (): void => undefined

/** For one sleeper. */
export class WakeUp {
  private readonly clock: Clock
  private isDue = false
  private wakeSleeper = NOBODY

  constructor(clock: Clock) {
    this.clock = clock
  }

  /** Ends the present sleep, or the next one at once. */
  readonly wake = (): void => {
    this.isDue = true
    const wakeSleeper = this.wakeSleeper
    this.wakeSleeper = NOBODY
    wakeSleeper()
  }

  /** Forgets earlier wake-ups; call before a check for work. */
  clear(): void {
    this.isDue = false
  }

  /** Ends early with a wake-up or an abort. Leaves no timer behind. */
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
