import { z } from 'zod'
import { PLATFORMS } from '../../domain/platform/platforms.ts'
import { BREAKDOWNS, getBreakdown } from '../../queries/usage/get-breakdown.ts'
import { MAX_WINDOW_DAYS, USAGE_RANGES, type UsageRange } from '../../queries/usage/window.ts'
import { defineOperation } from '../definition.ts'
import { dayIn, idIn, listIn, wholeIn } from '../shapes.ts'
import { usageBreakdown } from './shapes.ts'

export const getUsageBreakdownOperation = defineOperation({
  id: 'get-usage-breakdown',
  method: 'GET',
  path: '/v1/usage/breakdown',
  access: 'read',
  summary: 'Break usage down',
  description:
    'What was used and what it cost by day, platform, keyword or group. Days come in order, the rest the most ' +
    'expensive first. Removed keywords keep their rows. Keyword days belong to no platform: by platform they have ' +
    'a row of their own, and a platforms filter leaves them out. Rows and totals are each rounded from exact ' +
    'figures: the sum of rounded rows may differ from the total by some cents. Once every day of the window is ' +
    'settled, which for mentions is on the day after they were scored, totalCents of the whole workspace is what ' +
    'the ledger was debited.',
  tag: 'Billing',
  query: {
    by: z.enum(BREAKDOWNS).default('keyword').meta({ description: 'What the rows are.' }),
    range: z
      .enum(Object.keys(USAGE_RANGES) as [UsageRange, ...UsageRange[]])
      .optional()
      .meta({ description: 'The last days, today included; 30d when no window is given.' }),
    month: z
      .string()
      .regex(/^\d{4}-\d{2}$/, 'must be a month, such as 2026-11')
      .max(7)
      .optional()
      .meta({ description: 'A calendar month (UTC), not in the future.' }),
    from: dayIn
      .optional()
      .meta({ description: `The first day (UTC); needs to. At most ${MAX_WINDOW_DAYS} days in all.` }),
    to: dayIn.optional().meta({ description: 'The last day (UTC), included; needs from.' }),
    keywordIds: listIn(idIn('kw'), 50).optional().meta({ description: 'Only these keywords.' }),
    groupIds: listIn(idIn('grp'), 50).optional().meta({ description: 'Only keywords of these groups.' }),
    platforms: listIn(z.enum(PLATFORMS), 20).optional().meta({ description: 'Only mentions on these platforms.' }),
    limit: wholeIn(1, 500).default(100).meta({ description: 'How many rows to return.' }),
    offset: wholeIn(0, Number.MAX_SAFE_INTEGER).default(0).meta({ description: 'How many rows to pass over.' }),
  },
  status: 200,
  output: usageBreakdown,
  errors: [],
  limit: { name: 'usage-breakdown', perMinute: 30 },
  tool: { name: 'get_usage_breakdown', title: 'Break usage down', destructive: false, idempotent: true },
  run: (context, { query }) =>
    getBreakdown(context, {
      ...query,
      keywordIds: query.keywordIds ?? null,
      groupIds: query.groupIds ?? null,
      platforms: query.platforms ?? null,
    }),
})
