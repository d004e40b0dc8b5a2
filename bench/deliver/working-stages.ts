import { openSync, writeSync } from 'node:fs'
import type { Classifier } from '../../src/classify/contract.ts'
import type { Services } from '../../src/commands/writing.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { createLog, silentLog } from '../../src/kernel/log.ts'
import { DeliverStage } from '../../src/pipeline/deliver/deliver.ts'
import { ScoreStage } from '../../src/pipeline/score/score.ts'
import { type Database, openDatabase } from '../../src/store/database.ts'
import { VERDICT } from '../../test/mentions.ts'
import { createMetrics } from '../../test/metrics.ts'

/** What a working process does here: it scores and delivers. */
export interface Stages {
  deliver: DeliverStage
  score: ScoreStage
  /** Finishes what is in hand. */
  close(): Promise<void>
}

export function openBenchDatabase(connection: string): Database {
  return openDatabase({ connection, poolSize: 12, log: silentLog })
}

export function startStages(services: Services): Stages {
  const metrics = createMetrics()
  // Lines are written as in production, to where nobody keeps them.
  const nowhere = openSync('/dev/null', 'w')
  const log = createLog('info', { write: (line: string) => void writeSync(nowhere, line) })
  const ending = new AbortController()
  const deliver = new DeliverStage({ ...services, log, metrics })
  const score = new ScoreStage({
    db: services.db,
    clock: systemClock,
    log,
    metrics,
    metered: true,
    classifier: everythingIsRelevant,
    deliver,
  })
  const delivering = deliver.run(ending.signal)
  const scoring = score.run(ending.signal)
  return {
    deliver,
    score,
    async close() {
      ending.abort()
      await scoring
      await delivering
    },
  }
}

/** Costs nothing: what is measured begins behind the classifier. */
const everythingIsRelevant: Classifier = {
  name: 'everything is relevant',
  score: async (subjects) => subjects.map(() => ({ verdict: VERDICT })),
  close: async () => undefined,
}
