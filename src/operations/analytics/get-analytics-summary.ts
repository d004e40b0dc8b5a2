import { isRefusal } from '../../domain/refusal/refusal.ts'
import { getSummary, type Totals } from '../../queries/analytics/get-summary.ts'
import { defineOperation } from '../definition.ts'
import { ANALYTICS_LIMIT, analyticsQuery, analyticsRequestOf, changeOf, windowsOut } from './request.ts'
import { summary } from './shapes.ts'

export const getAnalyticsSummaryOperation = defineOperation({
  id: 'get-analytics-summary',
  method: 'GET',
  path: '/v1/analytics/summary',
  access: 'read',
  summary: 'Summarize mentions',
  description:
    'Returns figures for the mentions published in a time window: count, relevance, sentiment, ' +
    'reach, engagement, people and platforms. All filters of the mention list apply, and muted and ' +
    'snoozed mentions are hidden likewise.',
  tag: 'Analytics',
  query: analyticsQuery,
  status: 200,
  output: summary,
  errors: ['not_found'],
  limit: ANALYTICS_LIMIT,
  tool: { name: 'get_analytics_summary', title: 'Summarize mentions', destructive: false, idempotent: true },
  run: async (context, { query }) => {
    const asked = analyticsRequestOf(query, context.clock.now())
    if (isRefusal(asked)) return asked
    const found = await getSummary(context, asked.search, asked.windows)
    return isRefusal(found)
      ? found
      : { ...windowsOut(asked.windows), ...found, change: found.previous && changes(found.current, found.previous) }
  },
})

function changes(now: Totals, before: Totals) {
  return {
    mentions: changeOf(now.mentions, before.mentions),
    relevant: changeOf(now.relevant, before.relevant),
    positive: changeOf(now.sentiment.positive, before.sentiment.positive),
    negative: changeOf(now.sentiment.negative, before.sentiment.negative),
    reach: changeOf(now.reach, before.reach),
    engagement: changeOf(now.engagement, before.engagement),
    people: changeOf(now.people, before.people),
  }
}
