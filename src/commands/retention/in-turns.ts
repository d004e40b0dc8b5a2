import { type Clock, SECOND_MS } from '../../kernel/clock.ts'

/** A stop of the process waits for a run. Jobs run each minute, so one takes a sixth of it at most. */
const RUN_MS = 10 * SECOND_MS

/**
 * Handles one portion of each due thing in turn, until none is left or ten seconds are over. `portion` returns whether
 * the thing has more; `find` is asked again when those it found are done.
 */
export async function inTurns<Due>(
  clock: Clock,
  find: () => Promise<Due[]>,
  portion: (due: Due) => Promise<boolean>,
): Promise<void> {
  const endMs = clock.monotonicMs() + RUN_MS
  for (let due = await find(); due.length > 0; ) {
    const left: Due[] = []
    for (const one of due) {
      if (clock.monotonicMs() >= endMs) return
      if (await portion(one)) left.push(one)
    }
    due = left.length > 0 ? left : await find()
  }
}
