export interface Turns {
  /** Runs `work` when it is its turn. */
  take<Result>(work: () => Promise<Result>): Promise<Result>
}

/**
 * At most so many at once; the others wait in the order in which they came, so that nobody's backlog starves another.
 */
export function createTurns(atOnce: number): Turns {
  const queue: (() => void)[] = []
  let free = atOnce
  return {
    async take(work) {
      if (free > 0) free -= 1
      else await new Promise<void>((resolve) => queue.push(resolve))
      try {
        return await work()
      } finally {
        const next = queue.shift()
        if (next) next()
        else free += 1
      }
    },
  }
}
