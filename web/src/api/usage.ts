import type { operations } from '../../../src/client/schema.d.ts'
import { api, dataOf, type Schema } from './client.ts'

export type UsageBreakdown = Schema<'UsageBreakdown'>
export type UsageQuery = NonNullable<operations['getUsageBreakdown']['parameters']['query']>

export function getUsageBreakdown(query: UsageQuery, signal: AbortSignal): Promise<UsageBreakdown> {
  return dataOf(api.GET('/v1/usage/breakdown', { params: { query }, signal }))
}
