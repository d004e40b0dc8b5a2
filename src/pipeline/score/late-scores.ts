import type { Scored } from '../../classify/contract.ts'
import { type Clock, plus } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Database } from '../../store/database.ts'
import type { Score } from '../../store/model/score.ts'
import { type MentionRef, renewScoreLeases, type Unscored } from '../../store/model/unscored.ts'
import { SCORE_LEASE_MS } from '../store/store-stage.ts'

/** A mention whose score comes later. */
export interface LateMention {
  mention: Unscored
  scored: Promise<Scored>
}

/**
 * Mentions whose scores come later than those of their batch: they stay this process's own, and are recorded as they
 * come.
 */
export interface LateScores {
  /** Takes some over. */
  follow(late: readonly LateMention[]): Promise<void>
  has(mention: MentionRef): boolean
  /** Resolves when every score has come, or will not come, and was handed over to be recorded. */
  settled(): Promise<void>
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

export function createLateScores({ db, clock, log, scoreOf, record, batch }: LateScoresOptions): LateScores {
  const waiting = new Map<string, MentionRef>()
  const come: Score[] = []
  let recording: Promise<void> | null = null
  let stopRenewing: (() => void) | null = null
  let settle: () => void = () => undefined

  const renew = async (mentions: readonly MentionRef[]) => {
    await renewScoreLeases(db, mentions, plus(clock.now(), SCORE_LEASE_MS)).catch((error: unknown) => {
      // Others may take them up meanwhile: then they are scored twice and recorded once.
      log.warn({ err: error, mentions: mentions.length }, 'mentions that wait for a second look could not be held')
    })
  }
  const renewSoon = () => {
    stopRenewing = clock.alarm(RENEW_EVERY_MS, () => {
      stopRenewing = null
      void renew([...waiting.values()]).then(() => {
        if (waiting.size > 0 && stopRenewing === null) renewSoon()
      })
    })
  }
  const recordAll = async () => {
    // What comes with one answer is recorded together.
    await Promise.resolve()
    while (come.length > 0) await record(come.splice(0, batch))
  }
  const leave = ({ mentionId }: MentionRef) => {
    waiting.delete(mentionId)
    if (waiting.size > 0) return
    stopRenewing?.()
    stopRenewing = null
  }
  const settleWhenDone = () => {
    if (waiting.size === 0 && recording === null) settle()
  }
  const take = (mention: Unscored, scored: Scored) => {
    come.push(scoreOf(mention, scored))
    leave(mention)
    recording ??= recordAll().finally(() => {
      recording = null
      settleWhenDone()
    })
  }

  return {
    async follow(late) {
      if (late.length === 0) return
      for (const { mention, scored } of late) {
        waiting.set(mention.mentionId, mention)
        scored.then(
          (one) => take(mention, one),
          (error: unknown) => {
            // It stays unscored in the database, and whoever looks for such mentions finds it when its lease is over.
            log.debug({ err: error, mentionId: mention.mentionId }, 'a second look was given up')
            leave(mention)
            settleWhenDone()
          },
        )
      }
      await renew(late.map(({ mention }) => mention))
      if (stopRenewing === null && waiting.size > 0) renewSoon()
    },
    has: ({ mentionId }) => waiting.has(mentionId),
    settled: () =>
      new Promise((resolve) => {
        settle = resolve
        settleWhenDone()
      }),
  }
}
