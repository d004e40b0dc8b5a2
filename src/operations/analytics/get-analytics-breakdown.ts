import { z } from 'zod'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { getBreakdown } from '../../queries/analytics/get-breakdown.ts'
import { DIMENSIONS } from '../../queries/analytics/selected.ts'
import { defineOperation } from '../definition.ts'
import { wholeIn } from '../shapes.ts'
import { ANALYTICS_LIMIT, analyticsQuery, askedOf, windowsOut } from './asked.ts'
import { BREAKDOWN_MAX, breakdown } from './shapes.ts'

export const getAnalyticsBreakdownOperation = defineOperation({
  id: 'get-analytics-breakdown',
  method: 'GET',
  path: '/v1/analytics/breakdown',
  access: 'read',
  summary: 'Break mentions down',
  description:
    'The mentions of a window of time by keyword, group, platform, sentiment, intent or language, those with most ' +
    'first, each with its figures.',
  tag: 'Analytics',
  query: {
    ...analyticsQuery,
    by: z.enum(DIMENSIONS).default('keyword').meta({ description: 'What the rows are.' }),
    limit: wholeIn(1, BREAKDOWN_MAX).default(20).meta({ description: 'How many rows to return.' }),
  },
  status: 200,
  output: breakdown,
  errors: ['not_found'],
  limit: ANALYTICS_LIMIT,
  tool: { name: 'get_analytics_breakdown', title: 'Break mentions down', destructive: false, idempotent: true },
  run: async (context, { query }) => {
    const asked = askedOf(query, context.clock.now())
    if (isRefusal(asked)) return asked
    const found = await getBreakdown(context, asked.search, asked.windows, { by: query.by, limit: query.limit })
    return isRefusal(found) ? found : { ...windowsOut(asked.windows), by: query.by, ...found }
  },
})
