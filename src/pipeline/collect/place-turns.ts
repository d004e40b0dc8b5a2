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
  /** True if the whole host rests until then. */
  wholeHost: boolean
}

/** Doubles per failure in a row: a minute to a day for a host, the platform's interval to a day for one place. */
export function restAfterFault(source: PlacesSource, { failures }: DuePlace, error: unknown, at: Date): PlaceRest {
  const drawn = 0.9 + 0.2 * Math.random()
  const doubled = (firstMs: number) => Math.min(LONGEST_REST_MS, firstMs * 2 ** Math.min(failures, 20)) * drawn
  const kind = error instanceof SourceFault ? error.kind : 'defect'
  if (kind === 'gone' || kind === 'credentials') {
    const restMs = Math.min(LONGEST_REST_MS, GONE_INTERVALS * source.pollSeconds * SECOND_MS)
    return { dueAt: plus(at, restMs * drawn), wholeHost: false }
  }
  if (kind === 'throttled' || kind === 'unavailable') {
    const asked = error instanceof SourceFault ? (error.retryAfterSeconds ?? 0) * SECOND_MS : 0
    const first = Math.min(FIRST_REST_MS, source.pollSeconds * SECOND_MS)
    return { dueAt: plus(at, Math.max(asked, doubled(first))), wholeHost: true }
  }
  return { dueAt: plus(at, doubled(Math.min(HOUR_MS, source.pollSeconds * SECOND_MS))), wholeHost: false }
}
