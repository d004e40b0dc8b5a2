import { api, dataOf, type Schema } from './client.ts'
import type { operations } from './schema.d.ts'

export type MentionBreakdown = Schema<'AnalyticsBreakdown'>
export type BreakdownQuery = NonNullable<operations['getAnalyticsBreakdown']['parameters']['query']>

export function getMentionBreakdown(query: BreakdownQuery, signal: AbortSignal): Promise<MentionBreakdown> {
  return dataOf(api.GET('/v1/analytics/breakdown', { params: { query }, signal }))
}
