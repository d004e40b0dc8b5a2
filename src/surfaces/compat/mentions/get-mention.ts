import { isRefusal } from '../../../domain/refusal/refusal.ts'
import { booleanIn } from '../../../operations/shapes.ts'
import { getMention } from '../../../queries/mentions/get-mention.ts'
import { defineCompat } from '../define.ts'
import { mentionRow } from './row.ts'
import { mentionIdOf, rowsOf, sourceIdIn } from './rows.ts'

export const getMentionCompat = defineCompat({
  id: 'get-mention',
  method: 'GET',
  path: '/mentions/{sourceId}',
  access: 'read',
  summary: 'Get a mention',
  description: 'Returns one mention, relevant or not.',
  tag: 'Mentions',
  params: { sourceId: sourceIdIn },
  query: {
    includeEngagementMetrics: booleanIn()
      .default(false)
      .meta({ description: 'Whether to add counts of likes and the like.' }),
  },
  output: mentionRow,
  notFound: 'POST_NOT_FOUND',
  run: async (context, { params, query }) => {
    const id = await mentionIdOf(context, params.sourceId)
    const mention = isRefusal(id) ? id : await getMention(context, id)
    if (isRefusal(mention)) return mention
    const [row] = await rowsOf(context, [mention], query.includeEngagementMetrics)
    return row!
  },
})
