import type { MentionBreakdown } from '../api/analytics.ts'
import { type Filter, parseFilter, printFilter } from '../app/filter/filter-params.ts'

export const RANGES = ['7d', '30d', '90d'] as const
export type Range = (typeof RANGES)[number]

export const DIMENSIONS = ['platform', 'keyword', 'group', 'sentiment', 'intent', 'language'] as const
export type Dimension = MentionBreakdown['by']

/** What the page shows, as it stands in the address by the names of the API. */
export interface ReportQuery {
  range: Range
  /** Days of the person's own, which take the place of the range. */
  days: { from: string; to: string } | null
  by: Dimension
  /** Null for the time zone of the browser. */
  timezone: string | null
  /** Whether irrelevant mentions count in the share of voice. */
  includesAll: boolean
  filter: Filter
}

export function reportQueryIn(params: URLSearchParams): ReportQuery {
  const [from, to] = [params.get('from'), params.get('to')]
  const { since: _, until: __, ...filter } = parseFilter(params)
  return {
    range: RANGES.find((name) => name === params.get('range')) ?? '30d',
    days: from === null || to === null ? null : { from, to },
    by: DIMENSIONS.find((name) => name === params.get('by')) ?? 'platform',
    timezone: params.get('timezone'),
    includesAll: params.get('include') === 'all',
    filter,
  }
}

/** The address of a tab. Defaults do not stand in it. */
export function reportHref({ range, days, by, timezone, includesAll, filter }: ReportQuery, path: string): string {
  const params = printFilter(filter)
  if (days !== null) {
    params.set('from', days.from)
    params.set('to', days.to)
  } else if (range !== '30d') params.set('range', range)
  if (by !== 'platform') params.set('by', by)
  if (timezone !== null) params.set('timezone', timezone)
  if (includesAll) params.set('include', 'all')
  const text = params.toString().replaceAll('%2C', ',').replaceAll('%2F', '/')
  return text === '' ? path : `${path}?${text}`
}

export function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** What every analytics request of the page says. */
export function requestOf({ range, days, timezone, filter }: ReportQuery) {
  return { ...filter, ...(days ?? { range }), timezone: timezone ?? browserZone(), compare: true }
}

const HOURLY_DAYS = 2
const DAILY_DAYS = 120

/** The length of a bucket: hours for two days, and weeks where days would be too thin. */
export function intervalOf({ range, days }: Pick<ReportQuery, 'range' | 'days'>): 'hour' | 'day' | 'week' {
  const count = days === null ? Number.parseInt(range, 10) : daysBetween(days.from, days.to)
  if (count <= HOURLY_DAYS) return 'hour'
  return count <= DAILY_DAYS ? 'day' : 'week'
}

const DAY_MS = 24 * 60 * 60 * 1000

/** Both included. */
function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1
}
