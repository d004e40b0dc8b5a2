import type { Classifier } from '../../classify/contract.ts'
import { SECOND_MS } from '../../kernel/clock.ts'
import { Condition } from '../../kernel/concurrency/condition.ts'
import { Semaphore } from '../../kernel/concurrency/semaphore.ts'
import { WakeUp } from '../../kernel/concurrency/wake-up.ts'
import { watchQueue } from '../../kernel/metrics.ts'
import { DatabaseUnavailable } from '../../store/database.ts'
import {
  type ClaimedMention,
  countAttemptAlone,
  type MentionRef,
  readUnscored,
  type Unscored,
} from '../../store/model/unscored.ts'
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

/** Beyond this, collecting pauses. */
export const QUEUE_MAX = 5000
const BATCH = 200
const RECORDINGS_MAX = 2
const RECORD_AGAIN_MS = SECOND_MS / 4
/** A mention is scored alone after this many attempts, so that it cannot fail others for ever. */
const ALONE_AFTER = 3
const ATTEMPTS_MAX = 5

interface Work {
  together: readonly (MentionRef | Unscored)[]
  alone: readonly ClaimedMention[]
}

export class ScoreStage {
  private readonly options: ScoreOptions & Scoring
  private readonly queue: (MentionRef | Unscored)[] = []
  private readonly wakeUp: WakeUp
  /** Several collectors may wait. */
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
    this.sweep = new UnscoredSweep({ db, clock, log, batch: BATCH, leaseMs: SCORE_LEASE_MS, together: ALONE_AFTER })
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

  get length(): number {
    return this.queue.length
  }

  /**
   * Takes mentions under this process's lease. Resolves when there is capacity, or when `signal` is aborted: the sweep
   * finds the rest.
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

  readonly wake = (): void => {
    this.sweep.hasten()
    this.wakeUp.wake()
  }

  /** The next start scores the rest. */
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

  /** True at the end too, so that nobody waits for ever. */
  private hasRoom(): boolean {
    return this.hasEnded || this.queue.length < QUEUE_MAX
  }

  private async next(signal: AbortSignal): Promise<Work> {
    const { queue } = this
    const left = await this.sweep.run()
    if (left.length === 0 && queue.length === 0) await this.wakeUp.sleep(this.sweep.remainingMs(), signal)
    const together = [...left.filter(({ attempts }) => attempts < ALONE_AFTER), ...queue.splice(0, BATCH)]
    if (queue.length < QUEUE_MAX) this.room.notify()
    // A mention found again already has its score on the way.
    const isNew = (mention: MentionRef) => !this.late.has(mention)
    const alone = left.filter((mention) => mention.attempts >= ALONE_AFTER && isNew(mention))
    return { together: together.filter(isNew), alone }
  }

  private async score({ together, alone }: Work, signal: AbortSignal): Promise<void> {
    // Single ones first, so that a failing batch does not cost them an attempt.
    for (const mention of alone) await this.scoreAlone(mention, signal)
    if (together.length === 0) return
    const batch = await scoreBatch(together, this.options, signal)
    const followed = this.late.follow(batch.late)
    if (batch.scores.length > 0) await this.recordBeside(batch, signal)
    await followed
  }

  /** A failure delays the next batch. */
  private async recordBeside(batch: ScoredBatch, signal: AbortSignal): Promise<void> {
    await this.recordings.start(() =>
      this.recordAtLast(batch, signal).catch((error: unknown) => this.pause(error, signal)),
    )
  }

  /** Retries short outages of the database, because a dropped batch waits for the end of its lease. */
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

  /** The sweep finds the mentions after their lease. */
  private async pause(error: unknown, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    const { clock, log } = this.options
    log.warn({ event: 'score.failed', err: error }, 'Scoring failed; unscored mentions are retried')
    await clock.wait(error instanceof DatabaseUnavailable ? SECOND_MS : SECOND_MS / 10, signal)
  }

  /** No late score is awaited, which may be why the mention has none. */
  private async scoreAlone(mention: ClaimedMention, signal: AbortSignal): Promise<void> {
    const { db, classifier, log } = this.options
    // Counted first, because the attempt may end the process. A process that ends otherwise costs no other mention one.
    const attempts = await countAttemptAlone(db, mention)
    if (attempts === null) return
    try {
      if (attempts < ATTEMPTS_MAX) {
        const batch = await scoreBatch([mention], this.options, signal, classifier.scoreAtOnce ?? classifier.score)
        if (batch.scores.length > 0) await recordBatch(batch, this.options)
        return
      }
    } catch (error) {
      if (signal.aborted || error instanceof DatabaseUnavailable) throw error
      log.warn(
        { event: 'score.retry_failed', err: error, mentionId: mention.mentionId, attempts: attempts + 1 },
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
