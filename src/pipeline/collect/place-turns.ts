import { factsOf } from '../../domain/platform/platforms.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, plus, SECOND_MS } from '../../kernel/clock.ts'
import { type PlacesSource, SourceFault } from '../../sources/contract.ts'
import type { DuePlace } from '../../store/source/places.ts'
import { dueAfter } from './intervals.ts'

/** An interval grows eightfold at most. */
const DOUBLINGS = 3
const FIRST_REST_MS = MINUTE_MS
const LONGEST_REST_MS = DAY_MS
/** What is missing or closed rarely comes back: a feed is asked for once a day by default. */
const GONE_INTERVALS = 96

/**
 * An interval that the operator made shorter than the default counts over what a place asks of its readers, since the
 * operator answers for it.
 */
export function turnAfterPoll(
  source: PlacesSource,
  { at, restSeconds, emptyPolls }: { at: Date; restSeconds: number | null; emptyPolls: number },
): Date {
  const isShortened = source.pollSeconds < (factsOf(source.platform).pollSeconds ?? 0)
  const rest = isShortened ? 0 : (restSeconds ?? 0)
  const base = source.pollSeconds * 2 ** Math.min(emptyPolls, DOUBLINGS)
  return dueAfter(at, Math.max(base, rest) * SECOND_MS, 0, Math.random())
}

export interface PlaceRest {
  dueAt: Date
  /** Until when the other places of the host rest; null if the fault concerns the place alone. */
  hostUntil: Date | null
}

/**
 * Doubles per failure in a row: a minute to a day where the host is at fault, else the platform's interval to a day.
 * Other places of the host miss a turn at most, or wait as long as the host asks.
 */
export function restAfterFault(source: PlacesSource, { failures }: DuePlace, error: unknown, at: Date): PlaceRest {
  const drawn = 0.9 + 0.2 * Math.random()
  const doubled = (firstMs: number) => Math.min(LONGEST_REST_MS, firstMs * 2 ** Math.min(failures, 20)) * drawn
  const fault = error instanceof SourceFault ? error : null
  const intervalMs = source.pollSeconds * SECOND_MS
  if (fault?.kind === 'gone' || fault?.kind === 'credentials') {
    const restMs = Math.min(LONGEST_REST_MS, GONE_INTERVALS * intervalMs)
    return { dueAt: plus(at, restMs * drawn), hostUntil: null }
  }
  const askedMs = (fault?.retryAfterSeconds ?? 0) * SECOND_MS
  if (fault === null || fault.onlyThis || fault.kind === 'shape_changed')
    return { dueAt: plus(at, Math.max(askedMs, doubled(Math.min(HOUR_MS, intervalMs)))), hostUntil: null }
  const restMs = Math.max(askedMs, doubled(Math.min(FIRST_REST_MS, intervalMs)))
  return { dueAt: plus(at, restMs), hostUntil: plus(at, Math.min(restMs, Math.max(askedMs, intervalMs))) }
}
