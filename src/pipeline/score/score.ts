import type { Classifier } from '../../classify/contract.ts'
import { SECOND_MS } from '../../kernel/clock.ts'
import { Condition } from '../../kernel/concurrency/condition.ts'
import { Semaphore } from '../../kernel/concurrency/semaphore.ts'
import { WakeUp } from '../../kernel/concurrency/wake-up.ts'
import { watchQueue } from '../../kernel/metrics.ts'
import { DatabaseUnavailable } from '../../store/database.ts'
import { type ClaimedMention, type MentionRef, readUnscored, type Unscored } from '../../store/model/unscored.ts'
import type { DeliverStage } from '../deliver/deliver.ts'
import { SCORE_LEASE_MS } from '../store/store-posts.ts'
import { LateScores } from './late-scores.ts'
import { MarksMemory } from './marks.ts'
import { type RecordOptions, recordBatch } from './record-batch.ts'
import { type ScoredBatch, type Scoring, scoreBatch, scoreOf } from './score-batch.ts'
import { UnscoredSweep } from './unscored-sweep.ts'

export interface ScoreOptions extends RecordOptions {
  classifier: Classifier
  deliver: Pick<DeliverStage, 'begin' | 'pace'>
}

/** Mentions that wait in memory at most; collecting pauses beyond it, and its cursor with it. */
export const QUEUE_MAX = 5000
const BATCH = 200
/** Batches that are being recorded while the next one is scored. */
const RECORDINGS_MAX = 2
const RECORD_AGAIN_MS = SECOND_MS / 4
/** After so many attempts without a score a mention is tried alone, so that it does not take others along for ever. */
const ALONE_AFTER = 3
/** After so many it counts as failed. */
const ATTEMPTS_MAX = 5

/** What is to be scored together, and what has come without a score too often for that. */
interface Work {
  together: readonly (MentionRef | Unscored)[]
  alone: readonly ClaimedMention[]
}

/** Scores new mentions: those that collecting hands over, and those that a sweep finds in the database. */
export class ScoreStage {
  private readonly options: ScoreOptions & Scoring
  private readonly queue: (MentionRef | Unscored)[] = []
  private readonly wakeUp: WakeUp
  /** Notified when there may be room in the queue; there may be a collector of each source that waits for it. */
  private readonly room = new Condition()
  private readonly sweep: UnscoredSweep
  private readonly recordings = new Semaphore(RECORDINGS_MAX)
  private readonly late: LateScores
  private hasEnded = false
  private ending = new AbortController().signal

  constructor(options: ScoreOptions) {
    const { db, clock, log, metrics } = options
    this.options = { ...options, marks: new MarksMemory(db) }
    this.wakeUp = new WakeUp(clock)
    this.sweep = new UnscoredSweep({ db, clock, log, batch: BATCH, leaseMs: SCORE_LEASE_MS })
    this.late = new LateScores({
      db,
      clock,
      log,
      scoreOf: (mention, scored) => scoreOf(mention, scored, log),
      record: (scores) => this.recordBeside({ scores, fromMemory: 0, classifyMs: 0 }, this.ending),
      batch: BATCH,
    })
    watchQueue(metrics, 'score', QUEUE_MAX, () => this.queue.length)
  }

  /** How many mentions wait here. */
  get length(): number {
    return this.queue.length
  }

  /**
   * Takes mentions on whose lease is this process's own. Whole ones are scored as they are, of the others the rest is
   * read. Resolves when there is room for more, or when `signal` is aborted: what does not fit is left to the sweep.
   */
  async add(mentions: readonly (MentionRef | Unscored)[], signal?: AbortSignal): Promise<void> {
    for (const mention of mentions) {
      while (!this.hasRoom() && !signal?.aborted) {
        this.wakeUp.wake()
        await this.room.until(() => this.hasRoom(), signal)
      }
      if (this.hasEnded || this.queue.length >= QUEUE_MAX) return
      this.queue.push(mention)
    }
    this.wakeUp.wake()
  }

  /** Mentions may wait in the database that nobody owns: another process has just announced them. Bound. */
  readonly wake = (): void => {
    this.sweep.hasten()
    this.wakeUp.wake()
  }

  /**
   * Scores until `signal` is aborted, then finishes the batches in hand. What still waits is scored by the next start.
   */
  async run(signal: AbortSignal): Promise<void> {
    this.ending = signal
    while (!signal.aborted) {
      try {
        await this.options.deliver.pace(signal)
        await this.score(await this.next(signal), signal)
      } catch (error) {
        await this.pause(error, signal)
      }
    }
    await this.late.settled()
    await this.recordings.idle()
    this.hasEnded = true
    this.queue.length = 0
    this.room.notify()
  }

  /** Also at the end, when whoever waits must not wait for ever. */
  private hasRoom(): boolean {
    return this.hasEnded || this.queue.length < QUEUE_MAX
  }

  private async next(signal: AbortSignal): Promise<Work> {
    const { queue } = this
    const left = await this.sweep.run()
    if (left.length === 0 && queue.length === 0) await this.wakeUp.sleep(this.sweep.remainingMs(), signal)
    const together = [...left.filter(({ attempts }) => attempts < ALONE_AFTER), ...queue.splice(0, BATCH)]
    if (queue.length < QUEUE_MAX) this.room.notify()
    // What is looked at a second time already has its score on the way.
    const isNew = (mention: MentionRef) => !this.late.has(mention)
    const alone = left.filter((mention) => mention.attempts >= ALONE_AFTER && isNew(mention))
    return { together: together.filter(isNew), alone }
  }

  private async score({ together, alone }: Work, signal: AbortSignal): Promise<void> {
    // Those that are tried alone come first: a batch that fails must not cost them an attempt.
    for (const mention of alone) await this.scoreAlone(mention, signal)
    if (together.length === 0) return
    const batch = await scoreBatch(together, this.options, signal)
    const followed = this.late.follow(batch.late)
    if (batch.scores.length > 0) await this.recordBeside(batch, signal)
    await followed
  }

  /** Records a batch beside the scoring of the next one; a failure pauses what comes after. */
  private async recordBeside(batch: ScoredBatch, signal: AbortSignal): Promise<void> {
    await this.recordings.start(() =>
      this.recordAtLast(batch, signal).catch((error: unknown) => this.pause(error, signal)),
    )
  }

  /**
   * A short absence of the database is waited out: what is let go of here is not looked for before its lease is over.
   */
  private async recordAtLast(batch: ScoredBatch, signal: AbortSignal): Promise<void> {
    const { clock, log } = this.options
    const sinceMs = clock.monotonicMs()
    for (;;) {
      try {
        return await recordBatch(batch, this.options)
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable) || signal.aborted || clock.monotonicMs() - sinceMs > SCORE_LEASE_MS)
          throw error
        log.warn(
          { event: 'score.record_failed', err: error, mentions: batch.scores.length },
          'A scored batch could not be recorded; retrying',
        )
        await clock.wait(RECORD_AGAIN_MS, signal)
      }
    }
  }

  /** The mentions stay unscored in the database; the sweep finds them when their lease is over. */
  private async pause(error: unknown, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    const { clock, log } = this.options
    log.warn({ event: 'score.failed', err: error }, 'Scoring failed; unscored mentions are retried')
    await clock.wait(error instanceof DatabaseUnavailable ? SECOND_MS : SECOND_MS / 10, signal)
  }

  /**
   * Tries one mention that took others along, or ended the process, before. Its failure is its own: it is recorded
   * after the last attempt and passed over before. No second look is taken at it: waiting for one may be why it has no
   * score yet.
   */
  private async scoreAlone(mention: ClaimedMention, signal: AbortSignal): Promise<void> {
    const { classifier, log } = this.options
    const { mentionId, attempts } = mention
    try {
      // Else it was tried for the last time by a process that did not live to say so.
      if (attempts < ATTEMPTS_MAX) {
        const batch = await scoreBatch([mention], this.options, signal, classifier.scoreAtOnce ?? classifier.score)
        if (batch.scores.length > 0) await recordBatch(batch, this.options)
        return
      }
    } catch (error) {
      if (signal.aborted || error instanceof DatabaseUnavailable) throw error
      log.warn(
        { event: 'score.retry_failed', err: error, mentionId, attempts: attempts + 1 },
        'Scoring a mention failed again',
      )
      if (attempts + 1 < ATTEMPTS_MAX) return
    }
    await this.giveUp(mention)
  }

  private async giveUp(mention: ClaimedMention): Promise<void> {
    const { db, log } = this.options
    log.error(
      { event: 'score.abandoned', mentionId: mention.mentionId },
      'A mention could not be scored in any attempt and counts as failed',
    )
    const mentions = await readUnscored(db, [mention])
    if (mentions.length === 0) return
    const scores = mentions.map((unscored) => scoreOf(unscored, { failed: 'given up' }, log))
    await recordBatch({ scores, fromMemory: 0, classifyMs: 0 }, this.options)
  }
}
