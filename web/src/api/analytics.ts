import type { operations } from '../../../src/client/schema.d.ts'
import { api, dataOf, type Schema } from './client.ts'

type QueryOf<Operation extends keyof operations> = NonNullable<operations[Operation]['parameters']['query']>

export type MentionBreakdown = Schema<'AnalyticsBreakdown'>
export type BreakdownQuery = QueryOf<'getAnalyticsBreakdown'>
export type AnalyticsSummary = Schema<'AnalyticsSummary'>
export type AnalyticsSeries = Schema<'AnalyticsSeries'>
export type AnalyticsWindow = Schema<'AnalyticsWindow'>
export type ShareOfVoice = Schema<'ShareOfVoice'>
export type ReviewAnalytics = Schema<'ReviewAnalytics'>

export function getMentionBreakdown(query: BreakdownQuery, signal: AbortSignal): Promise<MentionBreakdown> {
  return dataOf(api.GET('/v1/analytics/breakdown', { params: { query }, signal }))
}

export function getAnalyticsSummary(
  query: QueryOf<'getAnalyticsSummary'>,
  signal: AbortSignal,
): Promise<AnalyticsSummary> {
  return dataOf(api.GET('/v1/analytics/summary', { params: { query }, signal }))
}

export function getAnalyticsSeries(
  query: QueryOf<'getAnalyticsSeries'>,
  signal: AbortSignal,
): Promise<AnalyticsSeries> {
  return dataOf(api.GET('/v1/analytics/series', { params: { query }, signal }))
}

export function getShareOfVoice(query: QueryOf<'getShareOfVoice'>, signal: AbortSignal): Promise<ShareOfVoice> {
  return dataOf(api.GET('/v1/analytics/share-of-voice', { params: { query }, signal }))
}

export function getReviewAnalytics(
  query: QueryOf<'getReviewAnalytics'>,
  signal: AbortSignal,
): Promise<ReviewAnalytics> {
  return dataOf(api.GET('/v1/analytics/reviews', { params: { query }, signal }))
}
