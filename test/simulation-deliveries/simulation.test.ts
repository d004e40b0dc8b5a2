import { expect, test } from 'vitest'
import { lengthOf } from '../length.ts'
import { simulate } from './simulate.ts'

const STEPS = lengthOf('DELIVERY_STEPS', { usual: 3000, long: 10_000 })
/** The same in every run of the tests; others are for whoever looks for more, with more steps. */
const SEED = Number(process.env['DELIVERY_SEED'] ?? 20261122)

test(
  `through ${STEPS} steps no delivery is lost, in a wrong state, or sent once its channel was off, whoever crashes and however clocks jump (seed ${SEED})`,
  async () => {
    const tally = await simulate({ seed: SEED, steps: STEPS })
    // A simulation in which little happened would prove little.
    expect(Math.min(tally.crashes, tally.again, tally.refused)).toBeGreaterThan(STEPS / 100)
    expect(tally.accepted).toBeGreaterThan(STEPS / 10)
    expect(tally.digests).toBeGreaterThan(STEPS / 200)
    expect(tally.jumps).toBeGreaterThan(STEPS / 1000)
  },
  Math.max(10, STEPS / 500) * 60_000,
)
