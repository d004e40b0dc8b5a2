import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Steps } from '../../../domain/keyword/suggestions/steps.ts'

/** Runs work to its end and lets everything else that is waiting have its turn at each of its stops. */
export async function inTurns<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await nextTurn()
  }
}
