import type { Classifier, Scored, Subject } from '../../classify/contract.ts'
import { type Recorded, recordScores } from '../../commands/mentions/record-scores.ts'
import { authorKeysOf } from '../../domain/post/author-entry.ts'
import { type Clock, plus, SECOND_MS } from '../../kernel/clock.ts'
import { WakeUp } from '../../kernel/concurrency/wake-up.ts'
import type { Log } from '../../kernel/log.ts'
import { watchQueue } from '../../kernel/metrics.ts'
import { type Database, DatabaseUnavailable } from '../../store/database.ts'
import type { Score } from '../../store/model/score.ts'
import {
  type ClaimedMention,
  claimUnscored,
  type MentionRef,
  readUnscored,
  type Unscored,
} from '../../store/model/unscored.ts'
import type { DeliverStage } from '../deliver/deliver.ts'
import { SCORE_LEASE_MS } from '../store/store-stage.ts'
import { createLateScores, type LateMention } from './late-scores.ts'
import { createMarksMemory, type MarksMemory } from './marks.ts'
import type { ScoreMetrics } from './metrics.ts'

export interface ScoreOptions {
  db: Database
  clock: Clock
  log: Log
  metrics: ScoreMetrics
  metered: boolean
  classifier: Classifier
  /** Takes on the deliveries that follow from scores. */
  deliver: Pick<DeliverStage, 'begin' | 'pace'>
  /** Told whenever scores were written down. */
  onScored?: () => void
  /** How many deliveries one transaction makes at most; the usual limit unless told otherwise. */
  deliveriesMax?: number
}

export interface ScoreStage {
  /**
   * Takes mentions on whose lease is this process's own. Whole ones are scored as they are, of the others the rest is
   * read. Resolves when there is room for more, or when `signal` is aborted: what does not fit is left to the sweep.
   */
  add(mentions: readonly (MentionRef | Unscored)[], signal?: AbortSignal): Promise<void>
  /** Mentions may wait in the database that nobody owns: another process has just announced them. */
  wake(): void
  /** How many mentions wait here. */
  readonly length: number
  /**
   * Scores until `signal` is aborted, then finishes the batches in hand. What still waits is scored by the next start.
   */
  run(signal: AbortSignal): Promise<void>
}

/** Mentions that wait in memory at most; collecting pauses beyond it, and its cursor with it. */
export const QUEUE_MAX = 5000
const BATCH = 200
/** Batches that are being written down while the next one is scored. */
const RECORDINGS_MAX = 2
const RECORD_AGAIN_MS = SECOND_MS / 4
/**
 * How often mentions are looked for that nobody scores, however busy it is: left by a process that died, or by a failed
 * attempt.
 */
const SWEEP_MS = 5 * SECOND_MS
/** After so many attempts without a score a mention is tried alone, so that it does not take others along for ever. */
const ALONE_AFTER = 3
/** After so many it counts as failed. */
const ATTEMPTS_MAX = 5

/** What scoring a batch needs. */
interface Scoring extends ScoreOptions {
  marks: MarksMemory
}

/** What is to be scored together, and what has come without a score too often for that. */
interface Work {
  together: readonly (MentionRef | Unscored)[]
  alone: readonly ClaimedMention[]
}

/** Long because its steps share the queue. */
export function createScoreStage(given: ScoreOptions): ScoreStage {
  const options: Scoring = { ...given, marks: createMarksMemory(given.db) }
  const { clock, log } = options
  const queue: (MentionRef | Unscored)[] = []
  const wakeUp = new WakeUp(clock)
  /** Collectors that wait for room; there may be one for each source. */
  const waiting = new Set<() => void>()
  /** Batches that are being written down. */
  const recordings = new Set<Promise<void>>()
  let ended = false
  let sweepAtMs = Number.NEGATIVE_INFINITY
  watchQueue(options.metrics, 'score', QUEUE_MAX, () => queue.length)

  const letIn = () => {
    for (const go of waiting) go()
    waiting.clear()
  }
  const room = async (signal: AbortSignal | undefined) => {
    let go: () => void = () => undefined
    await new Promise<void>((resolve) => {
      go = resolve
      waiting.add(go)
      signal?.addEventListener('abort', go, { once: true })
    })
    waiting.delete(go)
    signal?.removeEventListener('abort', go)
  }
  const swept = async (): Promise<ClaimedMention[]> => {
    if (clock.monotonicMs() < sweepAtMs) return []
    try {
      // Set before the look, so that what is announced during it leads to another one.
      sweepAtMs = clock.monotonicMs() + SWEEP_MS
      const left = await sweep(options)
      // A full portion says that there may be more. What has come in meanwhile gets its share of the batch.
      if (left.length === BATCH) sweepAtMs = Number.NEGATIVE_INFINITY
      return left
    } catch (error) {
      // What waits in memory has its turn all the same, and makes room for those who wait to hand over.
      log.warn({ err: error }, 'could not look for mentions that were left unscored; trying again')
      sweepAtMs = clock.monotonicMs() + SECOND_MS
      return []
    }
  }
  const next = async (signal: AbortSignal): Promise<Work> => {
    const left = await swept()
    if (left.length === 0 && queue.length === 0) await wakeUp.sleep(sweepAtMs - clock.monotonicMs(), signal)
    const together = [...left.filter(({ attempts }) => attempts < ALONE_AFTER), ...queue.splice(0, BATCH)]
    if (queue.length < QUEUE_MAX) letIn()
    // What is looked at a second time already has its score on the way.
    const isNew = (one: MentionRef) => !late.has(one)
    return { together: together.filter(isNew), alone: left.filter((one) => one.attempts >= ALONE_AFTER && isNew(one)) }
  }
  // The mentions stay unscored in the database; the sweep finds them when their lease is over.
  const pause = async (error: unknown, signal: AbortSignal) => {
    if (signal.aborted) return
    log.warn({ err: error }, 'scoring failed; what was left unscored is tried again')
    await clock.wait(error instanceof DatabaseUnavailable ? SECOND_MS : SECOND_MS / 10, signal)
  }
  /**
   * A short absence of the database is waited out: what is let go of here is not looked for before its lease is over.
   */
  const recordAtLast = async (batch: Batch, signal: AbortSignal) => {
    const sinceMs = clock.monotonicMs()
    for (;;) {
      try {
        return await record(batch, options)
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable) || signal.aborted || clock.monotonicMs() - sinceMs > SCORE_LEASE_MS)
          throw error
        log.warn(
          { err: error, mentions: batch.scores.length },
          'a scored batch could not be written down; trying again',
        )
        await clock.wait(RECORD_AGAIN_MS, signal)
      }
    }
  }
  /** Writes a batch down beside the scoring of the next one; a failure pauses what comes after. */
  const recordBeside = async (batch: Batch, signal: AbortSignal) => {
    while (recordings.size >= RECORDINGS_MAX) await Promise.race(recordings)
    const recording = recordAtLast(batch, signal)
      .catch((error: unknown) => pause(error, signal))
      .finally(() => recordings.delete(recording))
    recordings.add(recording)
  }
  let ending = new AbortController().signal
  const late = createLateScores({
    db: options.db,
    clock,
    log,
    scoreOf: (mention, scored) => scoreOf(mention, scored, log),
    record: (scores) => recordBeside({ scores, fromMemory: 0, classifyMs: 0 }, ending),
    batch: BATCH,
  })
  return {
    async add(mentions, signal) {
      for (const mention of mentions) {
        while (queue.length >= QUEUE_MAX && !ended && !signal?.aborted) {
          wakeUp.wake()
          await room(signal)
        }
        if (ended || queue.length >= QUEUE_MAX) return
        queue.push(mention)
      }
      wakeUp.wake()
    },
    wake() {
      sweepAtMs = Number.NEGATIVE_INFINITY
      wakeUp.wake()
    },
    get length() {
      return queue.length
    },
    async run(signal) {
      ending = signal
      while (!signal.aborted) {
        try {
          await options.deliver.pace(signal)
          const { together, alone } = await next(signal)
          // Those that are tried alone come first: a batch that fails must not cost them an attempt.
          for (const one of alone) await scoreAlone(one, options, signal)
          if (together.length === 0) continue
          const batch = await scoreBatch(together, options, signal)
          const followed = late.follow(batch.late)
          if (batch.scores.length > 0) await recordBeside(batch, signal)
          await followed
        } catch (error) {
          await pause(error, signal)
        }
      }
      await late.settled()
      while (recordings.size > 0) await Promise.all(recordings)
      // Whoever still waits for room must not wait for ever.
      ended = true
      queue.length = 0
      letIn()
    },
  }
}

async function sweep({ db, clock }: ScoreOptions): Promise<ClaimedMention[]> {
  const at = clock.now()
  return await claimUnscored(db, { at, leasedUntil: plus(at, SCORE_LEASE_MS), limit: BATCH })
}

/**
 * Tries one mention that took others along, or ended the process, before. Its failure is its own: it is recorded after
 * the last attempt and passed over before. No second look is taken at it: waiting for one may be why it has no score
 * yet.
 */
async function scoreAlone(one: ClaimedMention, options: Scoring, signal: AbortSignal): Promise<void> {
  const { log } = options
  try {
    // Else it was tried for the last time by a process that did not live to say so.
    if (one.attempts < ATTEMPTS_MAX) {
      const { classifier } = options
      const batch = await scoreBatch([one], options, signal, classifier.scoreAtOnce ?? classifier.score)
      if (batch.scores.length > 0) await record(batch, options)
      return
    }
  } catch (error) {
    if (signal.aborted || error instanceof DatabaseUnavailable) throw error
    log.warn({ err: error, mentionId: one.mentionId, attempts: one.attempts + 1 }, 'scoring a mention failed again')
    if (one.attempts + 1 < ATTEMPTS_MAX) return
  }
  await giveUp(one, options)
}

async function giveUp(one: ClaimedMention, options: ScoreOptions): Promise<void> {
  options.log.error({ mentionId: one.mentionId }, 'a mention could not be scored in any attempt and counts as failed')
  const mentions = await readUnscored(options.db, [one])
  if (mentions.length === 0) return
  const scores = mentions.map((mention) => scoreOf(mention, { failed: 'given up' }, options.log))
  await record({ scores, fromMemory: 0, classifyMs: 0 }, options)
}

/** One of a classifier's ways of scoring. */
type ScoreEach = NonNullable<Classifier['scoreEach']>

/** A scored batch that is not written down yet. */
interface Batch {
  scores: readonly Score[]
  fromMemory: number
  classifyMs: number
}

/** Scores what is still there, as far as it can be told at once. */
async function scoreBatch(
  batch: Work['together'],
  options: Scoring,
  signal: AbortSignal,
  score: ScoreEach = options.classifier.scoreEach ?? options.classifier.score,
): Promise<Batch & { late: readonly LateMention[] }> {
  const { log, clock, classifier, metrics } = options
  const { mentions, fromMemory } = await readWhole(batch, options)
  if (mentions.length === 0) return { scores: [], late: [], fromMemory, classifyMs: 0 }
  const marksOf = await options.marks.of(mentions)
  const beganMs = clock.monotonicMs()
  const subjects = mentions.map((mention) => subjectOf(mention, marksOf(mention)))
  const scored = await score.call(classifier, subjects, signal)
  const classifyMs = clock.monotonicMs() - beganMs
  metrics.classifySeconds.observe(classifyMs / SECOND_MS)
  if (scored.length < mentions.length)
    throw new Error(`the classifier ${classifier.name} answered ${scored.length} of ${mentions.length} mentions`)
  const results = mentions.map((mention, at) => ({ mention, scored: scored[at]! }))
  return {
    scores: results.flatMap(({ mention, scored }) =>
      scored instanceof Promise ? [] : [scoreOf(mention, scored, log)],
    ),
    late: results.flatMap(({ mention, scored }) => (scored instanceof Promise ? [{ mention, scored }] : [])),
    fromMemory,
    classifyMs,
  }
}

/**
 * The mentions of a batch, each once: a lease may end while its mention waits here, and the sweep then hands it over
 * again.
 */
async function readWhole(
  batch: Work['together'],
  { db }: ScoreOptions,
): Promise<{ mentions: Unscored[]; fromMemory: number }> {
  const whole = new Map<string, Unscored>()
  for (const one of batch) if ('post' in one) whole.set(one.mentionId, one)
  const others = new Map(batch.filter((one) => !whole.has(one.mentionId)).map((one) => [one.mentionId, one]))
  const read = others.size > 0 ? await readUnscored(db, [...others.values()]) : []
  return { mentions: [...whole.values(), ...read], fromMemory: whole.size }
}

function scoreOf(mention: Unscored, scored: Scored, log: Log): Score {
  if ('failed' in scored)
    log.warn({ mentionId: mention.mentionId, reason: scored.failed }, 'a mention could not be scored')
  const verdict = 'failed' in scored ? null : scored.verdict
  return {
    mention,
    verdict,
    authorKeys: mention.post.author ? authorKeysOf(mention.post.platform, mention.post.author) : [],
  }
}

/**
 * Writes a batch down, with the charge and the deliveries that follow from it, and hands the deliveries over. A batch
 * from which very many follow takes several transactions; what is written down stays so when a later one fails.
 */
async function record({ scores, fromMemory, classifyMs }: Batch, options: ScoreOptions): Promise<void> {
  const { clock, log, metrics } = options
  const beganMs = clock.monotonicMs()
  const sums = { mentions: 0, failed: 0, deliveries: 0, admitted: 0, transactions: 0 }
  for (let left = scores; left.length > 0; ) {
    const recorded = await recordSome(left, options)
    const failed = recorded.written.filter(({ verdict }) => verdict === null).length
    metrics.mentionsScored.inc({ outcome: 'scored' }, recorded.written.length - failed)
    if (failed > 0) metrics.mentionsScored.inc({ outcome: 'failed' }, failed)
    sums.mentions += recorded.written.length
    sums.failed += failed
    sums.deliveries += recorded.deliveries.length
    sums.admitted += recorded.deliveries.filter((one) => one.admitted).length
    sums.transactions += 1
    left = recorded.left
  }
  options.onScored?.()
  const recordMs = clock.monotonicMs() - beganMs
  metrics.scoreSeconds.observe((classifyMs + recordMs) / SECOND_MS)
  log.info({ ...sums, fromMemory, classifyMs: Math.round(classifyMs), recordMs: Math.round(recordMs) }, 'batch scored')
}

/** Writes as much of it down as one transaction may. */
async function recordSome(
  scores: readonly Score[],
  { db, clock, metered, deliver, deliveriesMax }: ScoreOptions,
): Promise<Recorded> {
  let intake = deliver.begin()
  let recorded: Recorded
  try {
    recorded = await db.transaction((tx) => {
      // A transaction that is tried again begins with everything undone.
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

function subjectOf(mention: Unscored, marks: Subject['marks']): Subject {
  return {
    post: mention.post,
    keyword: { term: mention.keywordTerm, kind: mention.keywordKind },
    keywordContext: mention.keywordContext,
    companyContext: mention.companyContext,
    marks,
    workspaceId: mention.workspaceId,
  }
}
