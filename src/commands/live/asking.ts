import { type Clock, SECOND_MS } from '../../kernel/clock.ts'
import { DatabaseUnavailable } from '../../store/database.ts'
import type { Follower } from './follower.ts'

/** Without a notification, since a key may expire. */
const ASKED_MS = 5 * SECOND_MS

export interface Asking<Answer> {
  clock: Clock
  follower: Follower
  signal: AbortSignal
  /** Null ends following. */
  ask: () => Promise<Answer | null>
  /** Whether the answer can be used again for five seconds. */
  lasts: (answer: Answer) => boolean
}

/** The latest answer, asked again every five seconds and whenever access may have changed. */
export function createAsking<Answer>({
  clock,
  follower,
  signal,
  ask,
  lasts,
}: Asking<Answer>): () => Promise<Answer | null> {
  let answer: Answer | null = null
  let askedAt: Date | null = null
  return async () => {
    if (signal.aborted || follower.over) return null
    const now = clock.now()
    const isUsable = !follower.takeDoubt() && (answer === null || lasts(answer))
    if (isUsable && askedAt !== null && now.getTime() - askedAt.getTime() < ASKED_MS) return answer
    try {
      answer = await ask()
    } catch (error) {
      // The last answer stays valid during an outage.
      if (answer === null || !(error instanceof DatabaseUnavailable)) throw error
    }
    askedAt = now
    return signal.aborted || follower.over ? null : answer
  }
}
