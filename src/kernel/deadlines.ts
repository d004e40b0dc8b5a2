import { systemClock } from './clock.ts'

/** Many things that stand under a limit of the same length, for a fraction of what a timer for each of them costs. */
export interface Deadlines<One> {
  /** `one` has the whole time from now on. */
  set(one: One): void
  /** Nothing happens to `one` any more. */
  clear(one: One): void
}

/** Calls `over` for what was not cleared within `limitMs`. Does not keep the process alive. */
export function createDeadlines<One>(limitMs: number, over: (one: One) => void): Deadlines<One> {
  /** In the order in which they were set, which is the one in which they are over. */
  const untilMs = new Map<One, number>()
  /** Also while things are over, so that what is set meanwhile does not begin to wait a second time. */
  let isWaiting = false
  const wait = (milliseconds: number) => {
    isWaiting = true
    setTimeout(ring, milliseconds).unref()
  }
  const ring = () => {
    try {
      const now = systemClock.monotonicMs()
      for (const [one, at] of untilMs) {
        if (at > now) break
        untilMs.delete(one)
        over(one)
      }
    } finally {
      // Also after a failure: the others stand under their limit all the same.
      const [next] = untilMs.values()
      if (next === undefined) isWaiting = false
      else wait(Math.max(0, Math.ceil(next - systemClock.monotonicMs())))
    }
  }
  return {
    set(one) {
      untilMs.delete(one)
      untilMs.set(one, systemClock.monotonicMs() + limitMs)
      if (!isWaiting) wait(limitMs)
    },
    clear: (one) => void untilMs.delete(one),
  }
}
