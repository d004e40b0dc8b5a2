import { foldPeople } from '../../commands/people/fold-people.ts'
import { type Clock, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'
import { WakeUp } from '../../kernel/concurrency/wake-up.ts'
import type { Log } from '../../kernel/log.ts'
import type { Database } from '../../store/database.ts'

export interface FoldStage {
  wake(): void
  /** Sums up until `signal` is aborted. The next start or another process does the rest. */
  run(signal: AbortSignal): Promise<void>
}

/** Changes gather this long, so that a frequent author is summed once. */
const GATHERED_MS = SECOND_MS
/** Finds what others left: team verdicts, removals and dead processes. */
const SWEEP_MS = MINUTE_MS

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
