import { z } from 'zod'
import { countMentions } from '../../queries/mentions/count-mentions.ts'
import { defineOperation } from '../definition.ts'
import { countOut } from '../shapes.ts'
import { mentionSearchQuery, searchFrom } from './search.ts'

export const countMentionsOperation = defineOperation({
  id: 'count-mentions',
  method: 'GET',
  path: '/v1/mentions/count',
  access: 'read',
  summary: 'Count mentions',
  description: 'Returns the number of mentions that match every condition.',
  tag: 'Mentions',
  query: mentionSearchQuery,
  status: 200,
  output: z.strictObject({ total: countOut }),
  errors: ['not_found'],
  tool: { name: 'count_mentions', title: 'Count mentions', destructive: false, idempotent: true },
  run: (context, { query }) => countMentions(context, searchFrom(query)),
})
