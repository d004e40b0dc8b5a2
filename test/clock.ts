import type { Clock } from '../src/kernel/clock.ts'

interface Waiting {
  untilMs: number
  wake(): void
}

/**
 * A clock that stands still until a test moves it. Waits end and alarms ring when the time they wait for is reached.
 */
export interface TestClock extends Clock {
  /** Moves the time on and lets everything that waited for it, and what follows from that, begin. */
  advance(milliseconds: number): Promise<void>
  /** Sets the time without ending any wait that lies ahead of it; the time may go back. */
  set(at: Date): void
  /** How many waits have not ended, and alarms not rung. */
  readonly waits: number
}

export function createTestClock(start = new Date('2026-11-20T09:30:00.000Z')): TestClock {
  let nowMs = start.getTime()
  let elapsedMs = 0
  const waiting = new Set<Waiting>()

  function wakeDue(): void {
    const due = [...waiting].filter(({ untilMs }) => untilMs <= elapsedMs).sort((a, b) => a.untilMs - b.untilMs)
    for (const wait of due) wait.wake()
  }

  return {
    now: () => new Date(nowMs),
    monotonicMs: () => elapsedMs,
    wait(milliseconds, signal) {
      return new Promise((resolve) => {
        if (signal?.aborted || milliseconds <= 0) return resolve()
        const wait: Waiting = {
          untilMs: elapsedMs + milliseconds,
          wake() {
            waiting.delete(wait)
            signal?.removeEventListener('abort', wait.wake)
            resolve()
          },
        }
        signal?.addEventListener('abort', wait.wake, { once: true })
        waiting.add(wait)
      })
    },
    alarm(milliseconds, ring) {
      const wait: Waiting = {
        untilMs: elapsedMs + milliseconds,
        wake() {
          waiting.delete(wait)
          ring()
        },
      }
      waiting.add(wait)
      return () => void waiting.delete(wait)
    },
    async advance(milliseconds) {
      nowMs += milliseconds
      elapsedMs += milliseconds
      wakeDue()
      await new Promise((resolve) => setImmediate(resolve))
    },
    set(at) {
      nowMs = at.getTime()
    },
    get waits() {
      return waiting.size
    },
  }
}
