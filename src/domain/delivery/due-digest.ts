import { DAY_MS, HOUR_MS, MINUTE_MS, plus } from '../../kernel/clock.ts'
import { nextRunAfter, type Period, periodOf, type Timetable } from '../alert/schedule.ts'
import { digestRetryUntil } from './lifecycle.ts'

export interface DigestRun {
  dueAt: Date
  period: Period
}

export function lastRun(timetable: Timetable, at: Date): DigestRun {
  let dueAt = nextRunAfter(timetable, plus(at, -CERTAINLY_A_RUN_MS[timetable.mode]))
  for (let next = nextRunAfter(timetable, dueAt); next <= at; next = nextRunAfter(timetable, dueAt)) dueAt = next
  return { dueAt, period: periodOf(timetable, dueAt) }
}

/** Spans that contain a run even where a zone skipped a day. */
const CERTAINLY_A_RUN_MS = { hourly: 2 * HOUR_MS, daily: 3 * DAY_MS, weekly: 15 * DAY_MS } as const

/** Null when the last run's retry window is over. Earlier runs are not repeated. */
export function runToSend(timetable: Timetable, at: Date): DigestRun | null {
  const run = lastRun(timetable, at)
  return at > digestRetryUntil(timetable.mode, run.dueAt) ? null : run
}

/** A score is stored within this time of its timestamp, clock differences included. */
export const SCORED_WITHIN_MS = 2 * MINUTE_MS
export const SCORE_WAIT_MAX_MS = DAY_MS

/** How far back a digest covers what unsent digests missed. */
export const MADE_UP_FOR_MS = 21 * DAY_MS

export interface DigestProgress {
  /** Scores before this instant are in no digest. */
  begunAt: Date
  /** Earlier digests cover scores before this instant. */
  toldUntil: Date
  /** The earliest match of an uncovered score. */
  matchedSince: Date
}

/** `from` is included, `to` is not. */
export interface DigestWindow {
  from: Date
  to: Date
  /** The digest that ended at `from` may have missed late scores; what it covered is excluded by id. */
  scoredFrom: Date
  matchedFrom: Date
}

export function progressFrom(at: Date): DigestProgress & { toldLast: [] } {
  return { begunAt: at, toldUntil: at, matchedSince: plus(at, -SCORE_WAIT_MAX_MS), toldLast: [] }
}

/**
 * Begins where the last sent digest ended, so nothing is repeated or lost when the schedule changes or a digest fails;
 * scores older than `MADE_UP_FOR_MS` are dropped.
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
