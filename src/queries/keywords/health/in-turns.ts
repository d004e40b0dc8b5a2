import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Steps } from '../../../domain/keyword/suggestions/steps.ts'

/** Runs the steps and yields to the event loop between them. */
export async function inTurns<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await nextTurn()
  }
}
