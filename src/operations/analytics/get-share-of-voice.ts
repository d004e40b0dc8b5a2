import { z } from 'zod'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { getShareOfVoice, VOICES } from '../../queries/analytics/get-share-of-voice.ts'
import { defineOperation } from '../definition.ts'
import { ANALYTICS_LIMIT, analyticsQuery, analyticsRequestOf, windowsOut } from './request.ts'
import { shareOfVoice } from './shapes.ts'

export const getShareOfVoiceOperation = defineOperation({
  id: 'get-share-of-voice',
  method: 'GET',
  path: '/v1/analytics/share-of-voice',
  access: 'read',
  summary: 'Compare brand and competitors',
  description:
    "Returns each brand's and competitor's share of their mentions in a time window. Relevant " +
    'mentions only by default. Topics are left out.',
  tag: 'Analytics',
  query: {
    ...analyticsQuery,
    include: z.enum(['relevant', 'all']).default('relevant').meta({
      description: 'Whether irrelevant mentions count. The filter `relevant`, if given, takes precedence.',
    }),
    by: z.enum(VOICES).default('kind').meta({ description: 'Whether rows are the two kinds or single keywords.' }),
  },
  status: 200,
  output: shareOfVoice,
  errors: ['not_found'],
  limit: ANALYTICS_LIMIT,
  tool: { name: 'get_share_of_voice', title: 'Compare brand and competitors', destructive: false, idempotent: true },
  run: async (context, { query }) => {
    const relevant = query.relevant ?? (query.include === 'relevant' ? true : undefined)
    const asked = analyticsRequestOf({ ...query, relevant }, context.clock.now())
    if (isRefusal(asked)) return asked
    const found = await getShareOfVoice(context, asked.search, asked.windows, query.by)
    return isRefusal(found) ? found : { ...windowsOut(asked.windows), ...found }
  },
})
