import type { Scored } from '../../classify/contract.ts'
import { type Clock, plus } from '../../kernel/clock.ts'
import { Condition } from '../../kernel/concurrency/condition.ts'
import type { Log } from '../../kernel/log.ts'
import type { Database } from '../../store/database.ts'
import type { Score } from '../../store/model/score.ts'
import { type MentionRef, renewScoreLeases, type Unscored } from '../../store/model/unscored.ts'
import { SCORE_LEASE_MS } from '../store/store-posts.ts'

export interface LateMention {
  mention: Unscored
  scored: Promise<Scored>
}

export interface LateScoresOptions {
  db: Database
  clock: Clock
  log: Log
  scoreOf(mention: Unscored, scored: Scored): Score
  record(scores: readonly Score[]): Promise<void>
  batch: number
}

/** Well before the lease ends, so that a slow statement does no harm. */
const RENEW_EVERY_MS = SCORE_LEASE_MS / 4

/** Their leases are renewed, and scores are recorded as they come. */
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
    // The mention stays unscored, and a sweep finds it after its lease.
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
    await Promise.resolve()
    while (this.come.length > 0) await record(this.come.splice(0, batch))
  }

  private async renew(mentions: readonly MentionRef[]): Promise<void> {
    const { db, clock, log } = this.options
    await renewScoreLeases(db, mentions, plus(clock.now(), SCORE_LEASE_MS)).catch((error: unknown) => {
      // Another process may take the mentions: they are then scored twice and recorded once.
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
