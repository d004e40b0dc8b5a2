import { z } from 'zod'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { getMentionBreakdown } from '../../queries/analytics/get-breakdown.ts'
import { DIMENSIONS } from '../../queries/analytics/selected.ts'
import { defineOperation } from '../definition.ts'
import { wholeIn } from '../shapes.ts'
import { ANALYTICS_LIMIT, analyticsQuery, analyticsRequestOf, windowsOut } from './request.ts'
import { BREAKDOWN_MAX, breakdown } from './shapes.ts'

export const getAnalyticsBreakdownOperation = defineOperation({
  id: 'get-analytics-breakdown',
  method: 'GET',
  path: '/v1/analytics/breakdown',
  access: 'read',
  summary: 'Break down mentions',
  description:
    'Returns the mentions of a time window by keyword, group, platform, sentiment, intent or ' +
    'language, largest first, with figures for each row.',
  tag: 'Analytics',
  query: {
    ...analyticsQuery,
    by: z.enum(DIMENSIONS).default('keyword').meta({ description: 'Dimension of the rows.' }),
    limit: wholeIn(1, BREAKDOWN_MAX).default(20).meta({ description: 'Number of rows to return.' }),
  },
  status: 200,
  output: breakdown,
  errors: ['not_found'],
  limit: ANALYTICS_LIMIT,
  tool: { name: 'get_analytics_breakdown', title: 'Break down mentions', destructive: false, idempotent: true },
  run: async (context, { query }) => {
    const asked = analyticsRequestOf(query, context.clock.now())
    if (isRefusal(asked)) return asked
    const found = await getMentionBreakdown(context, asked.search, asked.windows, { by: query.by, limit: query.limit })
    return isRefusal(found) ? found : { ...windowsOut(asked.windows), by: query.by, ...found }
  },
})
