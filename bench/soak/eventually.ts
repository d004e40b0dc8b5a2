import { systemClock } from '../../src/kernel/clock.ts'

const LOOK_MS = 250

/** Looks until the condition holds. False at the end of the time; an Error instead unless `must` is false. */
export async function eventually(condition: () => Promise<boolean>, withinMs: number, must = true): Promise<boolean> {
  const giveUpAtMs = systemClock.monotonicMs() + withinMs
  while (!(await condition())) {
    if (systemClock.monotonicMs() > giveUpAtMs) {
      if (must) throw new Error('what the run waits for did not happen')
      return false
    }
    await systemClock.wait(LOOK_MS)
  }
  return true
}
