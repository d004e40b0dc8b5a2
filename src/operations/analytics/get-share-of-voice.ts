import { z } from 'zod'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { getShareOfVoice, VOICES } from '../../queries/analytics/get-share-of-voice.ts'
import { defineOperation } from '../definition.ts'
import { ANALYTICS_LIMIT, analyticsQuery, askedOf, windowsOut } from './asked.ts'
import { shareOfVoice } from './shapes.ts'

export const getShareOfVoiceOperation = defineOperation({
  id: 'get-share-of-voice',
  method: 'GET',
  path: '/v1/analytics/share-of-voice',
  access: 'read',
  summary: 'Compare brand and competitors',
  description:
    'How many of the mentions of brands and competitors belong to each, in a window of time. Relevant mentions ' +
    'only unless told otherwise; keywords that are topics are left out.',
  tag: 'Analytics',
  query: {
    ...analyticsQuery,
    include: z.enum(['relevant', 'all']).default('relevant').meta({
      description: 'Whether irrelevant mentions count too; the filter relevant, where it is given, decides instead.',
    }),
    by: z
      .enum(VOICES)
      .default('kind')
      .meta({ description: 'Whether brands and competitors are shown together or keyword by keyword.' }),
  },
  status: 200,
  output: shareOfVoice,
  errors: ['not_found'],
  limit: ANALYTICS_LIMIT,
  tool: { name: 'get_share_of_voice', title: 'Compare brand and competitors', destructive: false, idempotent: true },
  run: async (context, { query }) => {
    const relevant = query.relevant ?? (query.include === 'relevant' ? true : undefined)
    const asked = askedOf({ ...query, relevant }, context.clock.now())
    if (isRefusal(asked)) return asked
    const found = await getShareOfVoice(context, asked.search, asked.windows, query.by)
    return isRefusal(found) ? found : { ...windowsOut(asked.windows), ...found }
  },
})
