/** The queue of waiting work is full. */
export class Crowded extends Error {}

/** A semaphore with `atOnce` permits and a queue of at most `waiting`. */
export type ReportSemaphore = <Result>(work: () => Promise<Result>) => Promise<Result>

/** Rejects with `Crowded` before the work begins when the queue is full. */
export function createReportSemaphore({ atOnce, waiting }: { atOnce: number; waiting: number }): ReportSemaphore {
  const queue: (() => void)[] = []
  let busy = 0
  return async (work) => {
    if (busy === atOnce) {
      if (queue.length === waiting) throw new Crowded()
      // The permit passes directly to the next waiter, so a newcomer cannot take it.
      await new Promise<void>((resolve) => queue.push(resolve))
    } else {
      busy += 1
    }
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next) next()
      else busy -= 1
    }
  }
}
