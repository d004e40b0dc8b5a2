import { z } from 'zod'
import { KEYWORD_LIMITS } from '../../../domain/keyword/keyword.ts'
import { countOut, timeOut } from '../../../operations/shapes.ts'
import type { QueryContext } from '../../../queries/reading.ts'
import { getCoverage } from '../../../queries/usage/get-coverage.ts'
import { defineCompat } from '../define.ts'

export const PLAN = 'prepaid'

export const usageOut = z
  .strictObject({
    plan: z.literal(PLAN),
    mentions: z.strictObject({
      count: countOut.meta({ description: 'Matches of this calendar month (UTC).' }),
      limit: countOut.nullable().meta({
        description: '`count` and the mentions that the balance still pays; null where nothing is charged.',
      }),
      resetAt: timeOut.meta({ description: 'First day of the next month.' }),
    }),
    keywords: z.strictObject({ count: countOut, limit: countOut }),
  })
  .meta({ id: 'Usage', description: 'Mentions and keywords of the workspace.' })

export async function usageOf(context: QueryContext): Promise<z.output<typeof usageOut>> {
  const { mentionsThisMonth, mentionsCovered, keywords, monthEndsAt } = await getCoverage(context)
  return {
    plan: PLAN,
    mentions: {
      count: mentionsThisMonth,
      limit: mentionsCovered === null ? null : mentionsThisMonth + mentionsCovered,
      resetAt: monthEndsAt,
    },
    keywords: { count: keywords, limit: KEYWORD_LIMITS.perWorkspace },
  }
}

export const getUsageCompat = defineCompat({
  id: 'get-usage',
  method: 'GET',
  path: '/org/usage',
  access: 'read',
  summary: 'Get the usage',
  description: 'Returns mentions and keywords with their limits. Mentions are prepaid, so that their limit moves.',
  tag: 'Organization',
  output: usageOut,
  run: (context) => usageOf(context),
})
