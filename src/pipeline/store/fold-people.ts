import { foldPeople } from '../../commands/people/fold-people.ts'
import { type Clock, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'
import { WakeUp } from '../../kernel/concurrency/wake-up.ts'
import type { Log } from '../../kernel/log.ts'
import type { Database } from '../../store/database.ts'

export interface FoldStage {
  /** Something was scored here, so there are people to be added up. */
  wake(): void
  /** Adds up until `signal` is aborted. What is left then is added up by the next start, or by another process. */
  run(signal: AbortSignal): Promise<void>
}

/** How much gathers before it is added up: an author who writes a lot is then counted once. */
const GATHERED_MS = SECOND_MS
/** How often it is looked for what others left: verdicts of the team, removals, and processes that died. */
const SWEEP_MS = MINUTE_MS

/**
 * Keeps people's counts up with their mentions: a moment after something was scored, and not at all while nothing is.
 */
export function createFoldStage({ db, clock, log }: { db: Database; clock: Clock; log: Log }): FoldStage {
  const wakeUp = new WakeUp(clock)
  return {
    wake: wakeUp.wake,
    async run(signal) {
      while (!signal.aborted) {
        await wakeUp.sleep(SWEEP_MS, signal)
        await clock.wait(GATHERED_MS, signal)
        if (signal.aborted) return
        wakeUp.clear()
        try {
          await foldPeople({ db })
        } catch (error) {
          // Changes wait in the database until they are counted.
          log.warn({ event: 'person.fold_failed', err: error }, 'The totals of people could not be updated; retrying')
        }
      }
    },
  }
}
