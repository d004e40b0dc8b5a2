import type { Scored } from '../../classify/contract.ts'
import { type Clock, plus } from '../../kernel/clock.ts'
import { Condition } from '../../kernel/concurrency/condition.ts'
import type { Log } from '../../kernel/log.ts'
import type { Database } from '../../store/database.ts'
import type { Score } from '../../store/model/score.ts'
import { type MentionRef, renewScoreLeases, type Unscored } from '../../store/model/unscored.ts'
import { SCORE_LEASE_MS } from '../store/store-posts.ts'

/** A mention whose score comes later. */
export interface LateMention {
  mention: Unscored
  scored: Promise<Scored>
}

export interface LateScoresOptions {
  db: Database
  clock: Clock
  log: Log
  /** Makes the score of what a scorer said of a mention. */
  scoreOf(mention: Unscored, scored: Scored): Score
  /** Records scores together; resolves when there is room for more. */
  record(scores: readonly Score[]): Promise<void>
  /** Scores of one transaction at most. */
  batch: number
}

/** Well before the lease ends, so that a slow statement is no matter. */
const RENEW_EVERY_MS = SCORE_LEASE_MS / 4

/**
 * Mentions whose scores come later than those of their batch: they stay this process's own, and are recorded as they
 * come.
 */
export class LateScores {
  private readonly options: LateScoresOptions
  private readonly waiting = new Map<string, MentionRef>()
  private readonly come: Score[] = []
  private readonly changed = new Condition()
  private recording: Promise<void> | null = null
  private stopRenewing: (() => void) | null = null

  constructor(options: LateScoresOptions) {
    this.options = options
  }

  /** Takes some over. */
  async follow(late: readonly LateMention[]): Promise<void> {
    if (late.length === 0) return
    for (const { mention, scored } of late) {
      this.waiting.set(mention.mentionId, mention)
      scored.then(
        (score) => this.take(mention, score),
        (error: unknown) => this.giveUp(mention, error),
      )
    }
    await this.renew(late.map(({ mention }) => mention))
    if (this.stopRenewing === null && this.waiting.size > 0) this.renewSoon()
  }

  has({ mentionId }: MentionRef): boolean {
    return this.waiting.has(mentionId)
  }

  /** Resolves when every score has come, or will not come, and was handed over to be recorded. */
  async settled(): Promise<void> {
    await this.changed.until(() => this.waiting.size === 0 && this.recording === null)
  }

  private take(mention: Unscored, scored: Scored): void {
    this.come.push(this.options.scoreOf(mention, scored))
    this.leave(mention)
    this.recording ??= this.recordAll().finally(() => {
      this.recording = null
      this.changed.notify()
    })
  }

  private giveUp(mention: MentionRef, error: unknown): void {
    // It stays unscored in the database, and whoever looks for such mentions finds it when its lease is over.
    this.options.log.debug(
      { event: 'score.second_look_dropped', err: error, mentionId: mention.mentionId },
      'A second verdict was given up',
    )
    this.leave(mention)
    this.changed.notify()
  }

  private leave({ mentionId }: MentionRef): void {
    this.waiting.delete(mentionId)
    if (this.waiting.size > 0) return
    this.stopRenewing?.()
    this.stopRenewing = null
  }

  private async recordAll(): Promise<void> {
    const { record, batch } = this.options
    // What comes with one answer is recorded together.
    await Promise.resolve()
    while (this.come.length > 0) await record(this.come.splice(0, batch))
  }

  private async renew(mentions: readonly MentionRef[]): Promise<void> {
    const { db, clock, log } = this.options
    await renewScoreLeases(db, mentions, plus(clock.now(), SCORE_LEASE_MS)).catch((error: unknown) => {
      // Others may take them up meanwhile: then they are scored twice and recorded once.
      log.warn(
        { event: 'score.hold_failed', err: error, mentions: mentions.length },
        'Mentions that wait for a second verdict could not be leased',
      )
    })
  }

  private renewSoon(): void {
    this.stopRenewing = this.options.clock.alarm(RENEW_EVERY_MS, () => {
      this.stopRenewing = null
      void this.renew([...this.waiting.values()]).then(() => {
        if (this.waiting.size > 0 && this.stopRenewing === null) this.renewSoon()
      })
    })
  }
}
