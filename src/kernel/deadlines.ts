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
  let timer: NodeJS.Timeout | null = null
  const wait = (milliseconds: number) => {
    timer = setTimeout(ring, milliseconds).unref()
  }
  const ring = () => {
    timer = null
    const now = systemClock.monotonicMs()
    for (const [one, at] of untilMs) {
      if (at > now) return wait(Math.ceil(at - now))
      untilMs.delete(one)
      over(one)
    }
  }
  return {
    set(one) {
      untilMs.delete(one)
      untilMs.set(one, systemClock.monotonicMs() + limitMs)
      if (timer === null) wait(limitMs)
    },
    clear: (one) => void untilMs.delete(one),
  }
}
