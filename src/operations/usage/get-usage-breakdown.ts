import { z } from 'zod'
import { PLATFORMS, PLATFORMS_NAMED_MAX } from '../../domain/platform/platforms.ts'
import { BREAKDOWNS, getUsageBreakdown } from '../../queries/usage/get-breakdown.ts'
import { MAX_WINDOW_DAYS, USAGE_RANGES, type UsageRange } from '../../queries/usage/window.ts'
import { defineOperation } from '../definition.ts'
import { dayIn, idIn, listIn, wholeIn } from '../shapes.ts'
import { usageBreakdown } from './shapes.ts'

export const getUsageBreakdownOperation = defineOperation({
  id: 'get-usage-breakdown',
  method: 'GET',
  path: '/v1/usage/breakdown',
  access: 'read',
  summary: 'Break down usage',
  description:
    'Returns usage and cost by day, platform, keyword or group. Days are in order; other rows are ' +
    'sorted by cost, highest first. Deleted keywords keep their rows. Keyword days belong to no ' +
    'platform: by platform they have their own row, and a filter on platforms leaves them out. Rows ' +
    'and totals are rounded separately, so sums may differ by a few cents. When every day of the ' +
    'window is settled, which for mentions is the day after scoring, `totalCents` of the whole ' +
    "workspace equals the ledger's debits.",
  tag: 'Billing',
  query: {
    by: z.enum(BREAKDOWNS).default('keyword').meta({ description: 'Dimension of the rows.' }),
    range: z
      .enum(Object.keys(USAGE_RANGES) as [UsageRange, ...UsageRange[]])
      .optional()
      .meta({ description: 'Number of last days, today included. Default `30d`.' }),
    month: z
      .string()
      .regex(/^\d{4}-\d{2}$/, 'must be a month, such as 2026-11')
      .max(7)
      .optional()
      .meta({ description: 'Calendar month (UTC), not in the future.' }),
    from: dayIn
      .optional()
      .meta({ description: `First day (UTC). Requires \`to\`. At most ${MAX_WINDOW_DAYS} days in total.` }),
    to: dayIn.optional().meta({ description: 'Last day (UTC), included. Requires `from`.' }),
    keywordIds: listIn(idIn('kw'), 50).optional().meta({ description: 'Only these keywords.' }),
    groupIds: listIn(idIn('grp'), 50).optional().meta({ description: 'Only keywords of these groups.' }),
    platforms: listIn(z.enum(PLATFORMS), PLATFORMS_NAMED_MAX)
      .optional()
      .meta({ description: 'Only mentions on these platforms.' }),
    limit: wholeIn(1, 500).default(100).meta({ description: 'Number of rows to return.' }),
    offset: wholeIn(0, Number.MAX_SAFE_INTEGER).default(0).meta({ description: 'Number of rows to skip.' }),
  },
  status: 200,
  output: usageBreakdown,
  errors: [],
  limit: { name: 'usage-breakdown', perMinute: 30 },
  tool: { name: 'get_usage_breakdown', title: 'Break down usage', destructive: false, idempotent: true },
  run: (context, { query }) =>
    getUsageBreakdown(context, {
      ...query,
      keywordIds: query.keywordIds ?? null,
      groupIds: query.groupIds ?? null,
      platforms: query.platforms ?? null,
    }),
})
