import { keepPreviousData, type QueryFunctionContext, type QueryKey, useQuery } from '@tanstack/react-query'
import {
  type AnalyticsWindow,
  getAnalyticsSeries,
  getAnalyticsSummary,
  getMentionBreakdown,
  getReviewAnalytics,
  getShareOfVoice,
} from '../api/analytics.ts'
import { listAttention } from '../api/attention.ts'
import { type Filter, printFilter } from '../app/filter/filter-params.ts'
import { intervalOf, type ReportQuery, requestOf } from './report-query.ts'

/** A workspace may ask 60 times a minute, so that figures are kept for two minutes and not read at each focus. */
const FRESH_MS = 120_000

export const BREAKDOWN_ROWS = 50

function useFigures<Data>(
  name: string,
  request: object,
  read: (context: QueryFunctionContext<QueryKey>) => Promise<Data>,
) {
  return useQuery({
    queryKey: ['analytics', name, request] as QueryKey,
    queryFn: read,
    staleTime: FRESH_MS,
    refetchOnWindowFocus: false,
    placeholderData: keepPreviousData,
  })
}

export function useSummary(query: ReportQuery) {
  const request = requestOf(query)
  return useFigures('summary', request, ({ signal }) => getAnalyticsSummary(request, signal))
}

export function useSeries(query: ReportQuery) {
  const { compare: _, ...rest } = requestOf(query)
  const request = { ...rest, by: query.by, interval: intervalOf(query) }
  return useFigures('series', request, ({ signal }) => getAnalyticsSeries(request, signal))
}

export function useBreakdown(query: ReportQuery) {
  const request = { ...requestOf(query), by: query.by, limit: BREAKDOWN_ROWS }
  return useFigures('breakdown', request, ({ signal }) => getMentionBreakdown(request, signal))
}

export function useVoices(query: ReportQuery, by: 'kind' | 'keyword') {
  const request = { ...requestOf(query), by, include: query.includesAll ? ('all' as const) : ('relevant' as const) }
  return useFigures('voices', request, ({ signal }) => getShareOfVoice(request, signal))
}

export function useReviews(query: ReportQuery) {
  const request = requestOf(query)
  return useFigures('reviews', request, ({ signal }) => getReviewAnalytics(request, signal))
}

/** Spikes of all keywords, whatever the filter. They share no limit with the figures. */
export function useSpikes() {
  return useQuery({
    queryKey: ['attention', 'spikes'],
    queryFn: ({ signal }) =>
      listAttention({ kind: ['mention.spike', 'sentiment.negative_spike'], status: ['all'], limit: 100 }, signal),
    staleTime: FRESH_MS,
  })
}

/** The inbox with exactly the mentions of a filter that were published in the window. */
export function inboxHref(filter: Filter, { since, until }: Pick<AnalyticsWindow, 'since' | 'until'>): string {
  return `/inbox?${printFilter({ ...filter, since, until })
    .toString()
    .replaceAll('%2C', ',')
    .replaceAll('%3A', ':')}`
}
