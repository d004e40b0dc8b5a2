import { z } from 'zod'
import { isRefusal, refuseField } from '../../domain/refusal/refusal.ts'
import { getSeries } from '../../queries/analytics/get-series.ts'
import { DIMENSIONS } from '../../queries/analytics/selected.ts'
import { HOURLY_DAYS_MAX, INTERVALS } from '../../queries/analytics/window.ts'
import { defineOperation } from '../definition.ts'
import { ANALYTICS_LIMIT, analyticsQuery, analyticsRequestOf, windowsOut } from './request.ts'
import { series } from './shapes.ts'

export const getAnalyticsSeriesOperation = defineOperation({
  id: 'get-analytics-series',
  method: 'GET',
  path: '/v1/analytics/series',
  access: 'read',
  summary: 'Count mentions over time',
  description:
    'Returns mentions by hour, day or week of publication, in total and optionally split by one ' +
    'dimension. Weeks start with the window. A mention with several intents counts once for each.',
  tag: 'Analytics',
  query: {
    ...analyticsQuery,
    interval: z
      .enum(INTERVALS)
      .default('day')
      .meta({ description: `Length of a bucket. \`hour\` requires a window of at most ${HOURLY_DAYS_MAX} days.` }),
    by: z
      .enum(DIMENSIONS)
      .optional()
      .meta({ description: 'Dimension to split the mentions by. Not split by default.' }),
  },
  status: 200,
  output: series,
  errors: ['not_found'],
  limit: ANALYTICS_LIMIT,
  tool: { name: 'get_analytics_series', title: 'Count mentions over time', destructive: false, idempotent: true },
  run: async (context, { query }) => {
    const { interval, by = null } = query
    const asked = analyticsRequestOf(query, context.clock.now())
    if (isRefusal(asked)) return asked
    if (interval === 'hour' && asked.windows.current.days > HOURLY_DAYS_MAX)
      return refuseField('interval', `can be hour in windows of at most ${HOURLY_DAYS_MAX} days`)
    const found = await getSeries(context, asked.search, asked.windows, { interval, by })
    if (isRefusal(found)) return found
    const shown = (buckets: readonly Date[]) => buckets.map((bucket) => bucket.toISOString())
    return {
      ...windowsOut(asked.windows),
      interval,
      by,
      buckets: shown(found.buckets),
      totals: found.totals,
      series: found.series,
      previous: found.previous && { ...found.previous, buckets: shown(found.previous.buckets) },
    }
  },
})
