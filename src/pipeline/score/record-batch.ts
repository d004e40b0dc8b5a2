import { type Recorded, recordScores } from '../../commands/mentions/record-scores.ts'
import { type Clock, SECOND_MS } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Database } from '../../store/database.ts'
import type { Score } from '../../store/model/score.ts'
import type { DeliverStage } from '../deliver/deliver.ts'
import type { ScoreMetrics } from './metrics.ts'
import type { ScoredBatch } from './score-batch.ts'

export interface RecordOptions {
  db: Database
  clock: Clock
  log: Log
  metrics: ScoreMetrics
  metered: boolean
  deliver: Pick<DeliverStage, 'begin'>
  onScored?: () => void
  deliveriesMax?: number
}

interface Sums {
  mentions: number
  failed: number
  deliveries: number
  admitted: number
  transactions: number
}

/**
 * Records scores, charges and deliveries, in several transactions when there are very many. Earlier ones stay when a
 * later one fails.
 */
export async function recordBatch(
  { scores, fromMemory, classifyMs }: ScoredBatch,
  options: RecordOptions,
): Promise<void> {
  const { clock, log, metrics } = options
  const beganMs = clock.monotonicMs()
  const sums: Sums = { mentions: 0, failed: 0, deliveries: 0, admitted: 0, transactions: 0 }
  for (let left = scores; left.length > 0; ) {
    const recorded = await recordSome(left, options)
    count(recorded, sums, metrics)
    left = recorded.left
  }
  options.onScored?.()
  const recordMs = clock.monotonicMs() - beganMs
  metrics.scoreSeconds.observe((classifyMs + recordMs) / SECOND_MS)
  log.info(
    {
      event: 'score.recorded',
      ...sums,
      fromMemory,
      classifyMs: Math.round(classifyMs),
      recordMs: Math.round(recordMs),
    },
    'Batch scored',
  )
}

function count({ written, deliveries }: Recorded, sums: Sums, metrics: ScoreMetrics): void {
  const failed = written.filter(({ verdict }) => verdict === null).length
  metrics.mentionsScored.inc({ outcome: 'scored' }, written.length - failed)
  if (failed > 0) metrics.mentionsScored.inc({ outcome: 'failed' }, failed)
  sums.mentions += written.length
  sums.failed += failed
  sums.deliveries += deliveries.length
  sums.admitted += deliveries.filter(({ admitted }) => admitted).length
  sums.transactions += 1
}

async function recordSome(
  scores: readonly Score[],
  { db, clock, metered, deliver, deliveriesMax }: RecordOptions,
): Promise<Recorded> {
  let intake = deliver.begin()
  let recorded: Recorded
  try {
    recorded = await db.transaction((tx) => {
      // A retried transaction begins with a fresh intake.
      intake.abandon()
      intake = deliver.begin()
      return recordScores(tx, scores, {
        at: clock.now(),
        metered,
        admission: intake,
        ...(deliveriesMax === undefined ? {} : { deliveriesMax }),
      })
    })
  } catch (error) {
    intake.abandon()
    throw error
  }
  intake.complete(recorded.deliveries)
  return recorded
}
