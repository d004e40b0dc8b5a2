import { systemClock } from '../clock.ts'

/** Many things that stand under a limit of the same length, for a fraction of what a timer for each of them costs. */
export interface Deadlines<One> {
  /** `one` has the whole time from now on. */
  set(item: One): void
  /** Nothing happens to `one` any more. */
  clear(value: One): void
}

/** Calls `over` for what was not cleared within `limitMs`. Does not keep the process alive. */
export function createDeadlines<One>(limitMs: number, over: (item: One) => void): Deadlines<One> {
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
      for (const [item, at] of untilMs) {
        if (at > now) break
        untilMs.delete(item)
        over(item)
      }
    } finally {
      // Also after a failure: the others stand under their limit all the same.
      const [next] = untilMs.values()
      if (next === undefined) isWaiting = false
      else wait(Math.max(0, Math.ceil(next - systemClock.monotonicMs())))
    }
  }
  return {
    set(item) {
      untilMs.delete(item)
      untilMs.set(item, systemClock.monotonicMs() + limitMs)
      if (!isWaiting) wait(limitMs)
    },
    clear: (item) => void untilMs.delete(item),
  }
}
