import { z } from 'zod'
import { isRefusal, type Refusal } from '../../domain/refusal/refusal.ts'
import {
  ANALYTICS_RANGES,
  type AnalyticsRange,
  type AnalyticsWindow,
  WINDOW_DAYS_MAX,
  type Windows,
  windowsFrom,
} from '../../queries/analytics/window.ts'
import type { MentionSearch } from '../../queries/mentions/search.ts'
import { mentionSearchQuery, searchFrom } from '../mentions/search.ts'
import { booleanIn, dayIn } from '../shapes.ts'

// The window takes the place of publication times.
const { since: _since, until: _until, ...conditions } = mentionSearchQuery

/** The parameters of every figure: which mentions are meant, and when they were published. */
export const analyticsQuery = {
  ...conditions,
  range: z
    .enum(Object.keys(ANALYTICS_RANGES) as [AnalyticsRange, ...AnalyticsRange[]])
    .optional()
    .meta({ description: 'Number of last days, today included. Default `30d`.' }),
  from: dayIn.optional().meta({ description: `First day. Requires \`to\`. At most ${WINDOW_DAYS_MAX} days in total.` }),
  to: dayIn.optional().meta({ description: 'Last day, included. Requires `from`.' }),
  timezone: z
    .string()
    .min(1)
    .max(64)
    .default('UTC')
    .meta({ description: 'IANA time zone of the days, such as Europe/Berlin.' }),
  compare: booleanIn()
    .default(false)
    .meta({ description: 'Whether to return the figures of the preceding window of equal length.' }),
}

export interface AnalyticsRequest {
  search: MentionSearch
  windows: Windows
}

/** What the parameters ask for at `at`. */
export function analyticsRequestOf(
  query: z.output<z.ZodObject<typeof analyticsQuery>>,
  at: Date,
): AnalyticsRequest | Refusal<'validation_error'> {
  const windows = windowsFrom(query, at)
  return isRefusal(windows) ? windows : { search: searchFrom(query), windows }
}

/** The windows as they stand in every answer. */
export function windowsOut({ current, previous }: Windows) {
  return { window: windowOut(current), previousWindow: previous && windowOut(previous) }
}

function windowOut({ from, to, days, timezone, begin, end }: AnalyticsWindow) {
  return { from, to, days, timezone, since: begin.toISOString(), until: end.toISOString() }
}

/** By how much a figure grew against the one before, as a part of that one; null when that was nothing. */
export function changeOf(now: number, before: number): number | null {
  return before === 0 ? null : (now - before) / Math.abs(before)
}

/** In a large workspace some filters take a second or two of the database, all others a tenth of the service. */
export const ANALYTICS_LIMIT = { name: 'analytics', perMinute: 60 }
