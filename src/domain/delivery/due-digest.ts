import { DAY_MS, HOUR_MS, MINUTE_MS, plus } from '../../kernel/clock.ts'
import { nextRunAfter, type Period, periodOf, type Timetable } from '../alert/schedule.ts'
import { digestRetryUntil } from './lifecycle.ts'

export interface DigestRun {
  dueAt: Date
  period: Period
}

/** The last run due at or before `at`. */
export function lastRun(timetable: Timetable, at: Date): DigestRun {
  let dueAt = nextRunAfter(timetable, plus(at, -CERTAINLY_A_RUN_MS[timetable.mode]))
  for (let next = nextRunAfter(timetable, dueAt); next <= at; next = nextRunAfter(timetable, dueAt)) dueAt = next
  return { dueAt, period: periodOf(timetable, dueAt) }
}

/** A rule has at least one run in this time, even where a zone skipped a day. */
const CERTAINLY_A_RUN_MS = { hourly: 2 * HOUR_MS, daily: 3 * DAY_MS, weekly: 15 * DAY_MS } as const

/**
 * The digest to send at `at`: that of the last run, or null when its retry window is over. Earlier runs are not
 * repeated.
 */
export function runToSend(timetable: Timetable, at: Date): DigestRun | null {
  const run = lastRun(timetable, at)
  return at > digestRetryUntil(timetable.mode, run.dueAt) ? null : run
}

/** A score is stored within this time after its timestamp, clock differences included. */
export const SCORED_WITHIN_MS = 2 * MINUTE_MS
/** Matches that wait longer for their score are in no digest. */
export const SCORE_WAIT_MAX_MS = DAY_MS

/** A digest also covers what unsent digests missed, if it was scored within this time before the digest's end. */
export const MADE_UP_FOR_MS = 21 * DAY_MS

export interface DigestProgress {
  /** Scores before this instant are in no digest. */
  begunAt: Date
  /** Scores before this instant are covered by earlier digests. */
  toldUntil: Date
  /** Matches of scores not yet covered were made at or after this instant. */
  matchedSince: Date
}

/** A digest covers scores at or after `from` and before `to`. */
export interface DigestWindow {
  from: Date
  to: Date
  /**
   * Scores from this instant on are read. The digest that ended at `from` may have missed late ones; what it covered is
   * excluded by id.
   */
  scoredFrom: Date
  /** Matches from this instant on are read. */
  matchedFrom: Date
}

/** The progress of a rule that starts to send digests at `at`. */
export function progressFrom(at: Date): DigestProgress & { toldLast: [] } {
  return { begunAt: at, toldUntil: at, matchedSince: plus(at, -SCORE_WAIT_MAX_MS), toldLast: [] }
}

/**
 * The window of a digest that ends at `to`. It begins where the last sent digest ended, so nothing is repeated or lost
 * when the schedule changes or a digest fails; scores older than `MADE_UP_FOR_MS` are dropped.
 */
export function digestWindow(to: Date, { begunAt, toldUntil, matchedSince }: DigestProgress): DigestWindow {
  const oldest = later(begunAt, plus(to, -MADE_UP_FOR_MS))
  const from = later(toldUntil, oldest)
  return {
    from: earlier(from, to),
    to,
    scoredFrom: later(plus(toldUntil, -SCORED_WITHIN_MS), oldest),
    matchedFrom: later(matchedSince, plus(from, -SCORE_WAIT_MAX_MS)),
  }
}

function earlier(first: Date, second: Date): Date {
  return first < second ? first : second
}

export function later(first: Date, second: Date): Date {
  return first > second ? first : second
}
