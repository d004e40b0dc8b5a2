import type { Classifier, Subject } from '../classify/contract.ts'
import { authorKeysOf } from '../domain/person/author-entry.ts'
import { type Clock, plus, SECOND_MS } from '../kernel/clock.ts'
import type { Uuid } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import { type Database, DatabaseUnavailable } from '../store/database.ts'
import type { NewMention } from '../store/ingest.ts'
import { type NewDelivery, recordScores, type Score } from '../store/scores.ts'
import { claimUnscored, readUnscored, type Unscored } from '../store/unscored.ts'
import { createBell } from './bell.ts'
import { SCORE_LEASE_MS } from './collect.ts'

export interface ScoreOptions {
  db: Database
  clock: Clock
  log: Log
  metered: boolean
  classifier: Classifier
  /** Told of deliveries that were just written down. */
  onDeliveries(deliveries: readonly NewDelivery[]): void
}

export interface ScoreStage {
  /** Takes mentions on whose lease is this process's own. Resolves when there is room for more. */
  add(mentions: readonly NewMention[]): Promise<void>
  /** How many mentions wait here. */
  readonly length: number
  /** Scores until `signal` is aborted, then finishes the batch in hand. What still waits is scored by the next start. */
  run(signal: AbortSignal): Promise<void>
}

/** Mentions that wait in memory at most; collecting pauses beyond it, and its cursor with it. */
export const QUEUE_MAX = 5000
const BATCH = 200
/** How often mentions are looked for that nobody scores, however busy it is: left by a process that died, or by a failed attempt. */
const SWEEP_MS = 5 * SECOND_MS

export function createScoreStage(options: ScoreOptions): ScoreStage {
  const { clock } = options
  const queue: NewMention[] = []
  const bell = createBell(clock)
  /** Collectors that wait for room; there may be one for each source. */
  const waiting: (() => void)[] = []
  let ended = false
  let sweepAtMs = Number.NEGATIVE_INFINITY

  const letIn = () => {
    for (const go of waiting.splice(0)) go()
  }
  const next = async (signal: AbortSignal): Promise<NewMention[]> => {
    let left: NewMention[] = []
    if (clock.monotonicMs() >= sweepAtMs) {
      left = await sweep(options)
      // A full portion says that there may be more. What has come in meanwhile gets its share of the batch.
      if (left.length < BATCH) sweepAtMs = clock.monotonicMs() + SWEEP_MS
    }
    if (left.length === 0 && queue.length === 0) await bell.sleep(sweepAtMs - clock.monotonicMs(), signal)
    const batch = [...left, ...queue.splice(0, BATCH)]
    if (queue.length < QUEUE_MAX) letIn()
    return batch
  }
  return {
    async add(mentions) {
      for (const mention of mentions) {
        while (queue.length >= QUEUE_MAX && !ended) {
          bell.ring()
          await new Promise<void>((go) => waiting.push(go))
        }
        if (ended) return
        queue.push(mention)
      }
      bell.ring()
    },
    get length() {
      return queue.length
    },
    async run(signal) {
      while (!signal.aborted) {
        try {
          const batch = await next(signal)
          if (batch.length > 0) await scoreBatch(batch, options, signal)
        } catch (error) {
          if (signal.aborted) break
          // The mentions stay unscored in the database; the sweep finds them when their lease is over.
          options.log.warn({ err: error }, 'scoring failed; what was left unscored is tried again')
          await clock.wait(error instanceof DatabaseUnavailable ? SECOND_MS : SECOND_MS / 10, signal)
        }
      }
      // Whoever still waits for room must not wait for ever.
      ended = true
      queue.length = 0
      letIn()
    },
  }
}

async function sweep({ db, clock }: ScoreOptions): Promise<NewMention[]> {
  const at = clock.now()
  return await claimUnscored(db, { at, leasedUntil: plus(at, SCORE_LEASE_MS), limit: BATCH })
}

async function scoreBatch(batch: readonly { workspaceId: Uuid; mentionId: Uuid }[], options: ScoreOptions, signal: AbortSignal): Promise<void> {
  const { db, clock, log, classifier, metered } = options
  // A lease may end while its mention waits here, and the sweep then hands the same mention over again.
  const once = new Map(batch.map((one) => [one.mentionId, one]))
  const mentions = await readUnscored(db, [...once.values()])
  if (mentions.length === 0) return
  const scored = await classifier.score(mentions.map(subjectOf), signal)
  const scores = mentions.map((mention, at): Score => {
    const result = scored[at]
    if (!result) throw new Error(`the classifier ${classifier.name} answered ${scored.length} of ${mentions.length} mentions`)
    if ('failed' in result) log.warn({ mentionId: mention.mentionId, reason: result.failed }, 'a mention could not be scored')
    return {
      mention,
      verdict: 'failed' in result ? null : result.verdict,
      authorKeys: mention.post.author ? authorKeysOf(mention.post.platform, mention.post.author) : [],
    }
  })
  const deliveries = await db.transaction((tx) => recordScores(tx, scores, { at: clock.now(), metered }))
  if (deliveries.length > 0) options.onDeliveries(deliveries)
}

function subjectOf(mention: Unscored): Subject {
  return {
    post: mention.post,
    keyword: { term: mention.keywordTerm, kind: mention.keywordKind },
    keywordContext: mention.keywordContext,
    companyContext: mention.groupContext,
  }
}
