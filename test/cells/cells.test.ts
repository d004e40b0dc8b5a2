import { describe, expect, test } from 'vitest'
import { soakCells } from '../../bench/soak/cells.ts'
import { DOOR, NATS } from '../../bench/soak/cells-stage.ts'
import type { Finding } from '../../bench/soak/finding.ts'
import type { Verdict } from '../../bench/soak/verdict.ts'
import { lengthOf } from '../length.ts'
import { NO_NATS } from '../stand-ins/nats-server.ts'

/** `npm run test -- --long cells` takes ten minutes at the full rate. */
const SECONDS = lengthOf('CELLS_SECONDS', { usual: 24, long: 600 })
const RATE = lengthOf('CELLS_RATE', { usual: 300, long: 2000 })
const WORKSPACES = 60
const KEYWORDS = lengthOf('CELLS_KEYWORDS', { usual: 3000, long: 60_000 })
const DRAIN_SECONDS = 120

const nothing: Finding = { count: 0, examples: [] }

describe.skipIf(NO_NATS)('three cells, two gatherers and a door (skipped without nats-server)', () => {
  test(
    'lose and double no mention, delivery or charge while each is killed and a workspace moves',
    async () => {
      const result = await soakCells({
        plan: { workspaces: WORKSPACES, keywords: KEYWORDS, rules: true, movingTerms: 0, holdingEvery: 17 },
        cells: 3,
        gatherers: 2,
        rate: RATE,
        seconds: SECONDS,
        kills: [
          { at: 0.15, what: NATS },
          { at: 0.4, what: 'cell 2' },
          { at: 0.55, what: DOOR },
          // It reads the platform; the other one takes over within twenty seconds.
          { at: 0.7, what: 'gatherer 1' },
        ],
        moveAt: 0.3,
        oracleSample: 2000,
        drainSeconds: DRAIN_SECONDS,
      })
      const { verdicts } = result
      expect([...verdicts.values()].map(proven)).toEqual([true, true, true])
      for (const [name, verdict] of verdicts) expect({ name, ...wrong(verdict) }).toEqual({ name, ...NOTHING_WRONG })
      expect([result.moveFailure, result.drainedSeconds]).toEqual([null, expect.any(Number)])
      expect([...result.differences.values()]).toEqual([[], [], []])
      // A cell that is down takes only its own workspaces along.
      expect([result.unexplainedVisits, result.visits]).toEqual([nothing, expect.any(Number)])
      // One gatherer reads the platform, and no cell does.
      expect(result.listeners).toBe(1)
      expect([...result.lostPosts.values()]).toEqual([0, 0, 0])
      expect([...result.endings.values()]).toEqual(Array(6).fill('0'))
      expect(result.oracle.pairs).toBeGreaterThan(100)
    },
    (SECONDS + DRAIN_SECONDS + 300) * 1000,
  )
})

/** A run in which little happened would prove little. */
function proven({ expectedMentions, demandedDeliveries }: Verdict): boolean {
  return expectedMentions > 100 && demandedDeliveries > 100
}

function wrong(verdict: Verdict) {
  const { lostMentions, doubledMentions, strayMentions, unscored, failedScores, miscounted, unrecorded } = verdict
  const { lostDeliveries, doubledDeliveries, strayDeliveries, unexplainedRepeats } = verdict
  return {
    ...{ lostMentions, doubledMentions, strayMentions, unscored, failedScores, miscounted, unrecorded },
    ...{ lostDeliveries, doubledDeliveries, strayDeliveries, unexplainedRepeats },
  }
}

const NOTHING_WRONG: ReturnType<typeof wrong> = {
  lostMentions: nothing,
  doubledMentions: nothing,
  strayMentions: nothing,
  unscored: 0,
  failedScores: 0,
  miscounted: nothing,
  unrecorded: nothing,
  lostDeliveries: nothing,
  doubledDeliveries: nothing,
  strayDeliveries: nothing,
  unexplainedRepeats: nothing,
}
