import { boundedCache } from '../../../kernel/concurrency/bounded-cache.ts'

/** A cache in this process with a TTL and a size limit; evicts the oldest. */
export interface ReportCache<Value> {
  /** The cached value, or a new one. Concurrent callers share one computation; failures are not cached. */
  get(key: string, at: Date, make: () => Promise<Value>): Promise<Value>
  /** Also true while a value is being made. */
  has(key: string, at: Date): boolean
  forget(key: string): void
}

export function createReportCache<Value>({ most, goodForMs }: { most: number; goodForMs: number }): ReportCache<Value> {
  const answers = boundedCache<{ madeAt: number; answer: Promise<Value> }>({ most })
  const good = (key: string, at: Date) => {
    const known = answers.get(key)
    // A clock set back must not make a value immortal.
    return known && Math.abs(at.getTime() - known.madeAt) < goodForMs ? known : undefined
  }
  return {
    get(key, at, make) {
      const known = good(key, at)
      if (known) return known.answer
      const made = { madeAt: at.getTime(), answer: make() }
      answers.set(key, made)
      made.answer.catch(() => {
        if (answers.get(key) === made) answers.delete(key)
      })
      return made.answer
    },
    has: (key, at) => good(key, at) !== undefined,
    forget: (key) => void answers.delete(key),
  }
}
