import { systemClock } from '../clock.ts'

/** Many deadlines of one length for a fraction of the cost of a timer each. */
export interface Deadlines<One> {
  /** Restarts the time of `item`. */
  set(item: One): void
  clear(value: One): void
}

/** Calls `over` for items that are not cleared within `limitMs`. Does not keep the process alive. */
export function createDeadlines<One>(limitMs: number, over: (item: One) => void): Deadlines<One> {
  /** In the order of their deadlines. */
  const untilMs = new Map<One, number>()
  /** Also true while `over` runs, so that an item set meanwhile starts no second timer. */
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
      // Also after a failure of `over`: the other deadlines stand.
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
