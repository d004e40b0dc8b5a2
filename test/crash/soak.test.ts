import { expect, test } from 'vitest'
import type { Finding } from '../../bench/soak/finding.ts'
import { type SoakResult, soak } from '../../bench/soak/run.ts'

const nothing: Finding = { count: 0, examples: [] }

/** Some seconds of what `npm run bench -- soak` does for ten minutes. */
test('several processes lose and double nothing while the database is restarted and processes are killed', async () => {
  const result = await soak({
    plan: { workspaces: 20, keywords: 2000, rules: true, movingTerms: 8, holdingEvery: 17 },
    rate: 300,
    seconds: 15,
    // What a killed process had in hand is left to it for half a minute, so the kills come early.
    disturbances: [
      { at: 0.2, what: 'kill work 1' },
      { at: 0.4, what: 'kill collect' },
      { at: 0.7, what: 'restart the database' },
    ],
    processes: new Map([
      ['collect', ['--role', 'collect']],
      ['work 1', ['--role', 'work']],
      ['work 2', ['--role', 'work']],
      ['api', ['--role', 'api']],
    ]),
    api: 'api',
    partitions: 4,
    changeEveryMs: 500,
    sampleEveryMs: 5000,
    oracleSample: 2000,
    drainSeconds: 75,
  })
  expect(proven(result)).toBe(true)
  expect(wrong(result)).toEqual(NOTHING_WRONG)
}, 240_000)

test('a synchronous standby takes over from the primary, and nothing is lost or doubled', async () => {
  const result = await soak({
    plan: { workspaces: 20, keywords: 2000, rules: true, movingTerms: 8, holdingEvery: 17 },
    rate: 300,
    seconds: 15,
    disturbances: [{ at: 0.4, what: 'fail over' }],
    processes: new Map([
      ['collect', ['--role', 'collect']],
      ['work', ['--role', 'work']],
      ['api', ['--role', 'api']],
    ]),
    api: 'api',
    partitions: 4,
    changeEveryMs: 250,
    sampleEveryMs: 5000,
    oracleSample: 2000,
    drainSeconds: 75,
  })
  expect(proven(result)).toBe(true)
  expect(wrong(result)).toEqual(NOTHING_WRONG)
  // From the end of the primary until nothing is late any more.
  expect(result.verdict.catchUps[0]!.catchUpMs).toBeLessThan(BACK_WITHIN_MS)
}, 240_000)

const BACK_WITHIN_MS = 30_000
const NOTHING_WRONG = {
  lostMentions: nothing,
  doubledMentions: nothing,
  strayMentions: nothing,
  wronglyMoved: nothing,
  unscored: 0,
  failedScores: 0,
  miscounted: nothing,
  unrecorded: nothing,
  lostDeliveries: nothing,
  doubledDeliveries: nothing,
  strayDeliveries: nothing,
  unexplainedRepeats: nothing,
  drained: true,
}

/** A run in which little happened would prove little. */
function proven({ verdict, oracle, changes }: SoakResult): boolean {
  const happened =
    verdict.expectedMentions > 500 &&
    verdict.demandedDeliveries > 500 &&
    oracle.pairs > 300 &&
    changes > 10 &&
    verdict.movingJudged > 0
  return happened && verdict.filledIn > 0
}

function wrong({ verdict, drainedSeconds }: SoakResult) {
  const { lostMentions, doubledMentions, strayMentions, wronglyMoved, unscored, failedScores, miscounted, unrecorded } =
    verdict
  const { lostDeliveries, doubledDeliveries, strayDeliveries, unexplainedRepeats } = verdict
  return {
    lostMentions,
    doubledMentions,
    strayMentions,
    wronglyMoved,
    unscored,
    failedScores,
    miscounted,
    unrecorded,
    lostDeliveries,
    doubledDeliveries,
    strayDeliveries,
    unexplainedRepeats,
    drained: drainedSeconds !== null,
  }
}
