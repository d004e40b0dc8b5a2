import { setImmediate as nextTurn } from 'node:timers/promises'

/** Work that yields between its parts, each some milliseconds long. */
export type Steps<Result> = Generator<void, Result, void>

/** Runs the steps and lets the event loop turn between them. */
export async function inTurns<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await nextTurn()
  }
}

/** Runs the steps without a pause. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
