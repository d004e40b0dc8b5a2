import { boundedMemory } from '../../../kernel/concurrency/bounded-memory.ts'

/** Answers that are kept for a while in the memory of this process, so many at most; the oldest make room. */
export interface Kept<Value> {
  /**
   * The answer under a key, made when there is none that is still good at `at`. Whoever asks meanwhile waits for the
   * same one; a failure is not kept.
   */
  get(key: string, at: Date, make: () => Promise<Value>): Promise<Value>
  /** True when an answer is there, or on its way. */
  has(key: string, at: Date): boolean
  forget(key: string): void
}

export function createKept<Value>({ most, goodForMs }: { most: number; goodForMs: number }): Kept<Value> {
  const answers = boundedMemory<{ madeAt: number; answer: Promise<Value> }>({ most })
  const good = (key: string, at: Date) => {
    const known = answers.get(key)
    // A clock that was set back must not make an answer last for ever.
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
