/** So much is under way and waits already that one more would wait for too long. */
export class Crowded extends Error {}

/** Does work of one kind, only so much of it `atOnce`; so much more may be `waiting` for its turn. */
export type FewAtOnce = <Result>(work: () => Promise<Result>) => Promise<Result>

/** Work beyond what may wait fails with `Crowded` before it has begun. */
export function createFewAtOnce({ atOnce, waiting }: { atOnce: number; waiting: number }): FewAtOnce {
  const queue: (() => void)[] = []
  let busy = 0
  return async (work) => {
    if (busy === atOnce) {
      if (queue.length === waiting) throw new Crowded()
      // Whoever ends hands the place over, so that nobody who comes in between can take it.
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
