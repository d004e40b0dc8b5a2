import { DAY_MS, HOUR_MS, MINUTE_MS, plus } from '../../kernel/clock.ts'
import { nextRunAfter, type Period, periodOf, type Timetable } from '../alert/schedule.ts'
import { digestRetryUntil } from './lifecycle.ts'

/** A run of a rule: when it was due, and what it is about. */
export interface DigestRun {
  dueAt: Date
  period: Period
}

/** The last run of a rule that was due at `at` or before. */
export function lastRun(timetable: Timetable, at: Date): DigestRun {
  let dueAt = nextRunAfter(timetable, plus(at, -CERTAINLY_A_RUN_MS[timetable.mode]))
  for (let next = nextRunAfter(timetable, dueAt); next <= at; next = nextRunAfter(timetable, dueAt)) dueAt = next
  return { dueAt, period: periodOf(timetable, dueAt) }
}

/** In so much time there is a run, also where a zone has left out a day. */
const CERTAINLY_A_RUN_MS = { hourly: 2 * HOUR_MS, daily: 3 * DAY_MS, weekly: 15 * DAY_MS } as const

/**
 * What a rule has to send when somebody comes at `at`, after one of its runs or several: the digest of the last one, as
 * long as digests of that run may still be tried; null when it is too late for it. Runs before the last one are not
 * made up for.
 */
export function runToSend(timetable: Timetable, at: Date): DigestRun | null {
  const run = lastRun(timetable, at)
  return at > digestRetryUntil(timetable.mode, run.dueAt) ? null : run
}

/** Scores are written down within so much time after the instant that they carry, other clocks included. */
export const SCORED_WITHIN_MS = 2 * MINUTE_MS
/** Matches that wait longer for their score than this are in no digest. */
export const SCORE_WAIT_MAX_MS = DAY_MS

/**
 * What digests that were not sent would have told is in the next one, as far as it was scored within so much time
 * before its end.
 */
export const MADE_UP_FOR_MS = 21 * DAY_MS

/** How far the digests of a rule have got. */
export interface DigestProgress {
  /** Since then the rule sends digests. What was scored before is in none. */
  begunAt: Date
  /** What was scored before is told. */
  toldUntil: Date
  /** What is scored from then on was matched at this instant or later. */
  matchedSince: Date
}

/** What a digest tells of: what was scored from `from` on and before `to`. */
export interface DigestWindow {
  from: Date
  to: Date
  /**
   * Scores from this instant on are looked at. Where another digest ended at `from` it may not have seen all before;
   * what it told is left out by name.
   */
  scoredFrom: Date
  /** Matches made at this instant or later are looked at. */
  matchedFrom: Date
}

/**
 * The progress of a rule that begins to send digests at `at`: what is scored from then on is told, and nothing of what
 * was before.
 */
export function progressFrom(at: Date): DigestProgress & { toldLast: [] } {
  return { begunAt: at, toldUntil: at, matchedSince: plus(at, -SCORE_WAIT_MAX_MS), toldLast: [] }
}

/**
 * The window of a digest that tells what was scored before `to`. It begins where the digest before it ended, so that
 * nothing is told twice or left out when the schedule changes or when one was sent between two runs, and so that one
 * that could not be sent is made up for by the next; what is older than `MADE_UP_FOR_MS` is left out.
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

/** The later of two instants. */
export function later(first: Date, second: Date): Date {
  return first > second ? first : second
}
