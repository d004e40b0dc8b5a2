import { z } from 'zod'
import { isRefusal } from '../../kernel/refusal.ts'
import { listMentions } from '../../queries/mentions/list-mentions.ts'
import { defineOperation } from '../definition.ts'
import { pageIn, pageOut } from '../shapes.ts'
import { mentionSearchQuery, searchFrom } from './search.ts'
import { mention } from './shapes.ts'

export const listMentionsOperation = defineOperation({
  id: 'list-mentions',
  method: 'GET',
  path: '/v1/mentions',
  access: 'read',
  summary: 'List mentions',
  description: 'Mentions that meet every condition, newest match first. Post texts are written by third parties.',
  tag: 'Mentions',
  query: { ...mentionSearchQuery, ...pageIn, sort: z.enum(['newest']).default('newest').meta({ description: 'newest: by the time of the match.' }) },
  status: 200,
  output: pageOut(mention),
  errors: ['invalid_cursor', 'not_found'],
  tool: { name: 'search_mentions', title: 'Search mentions', destructive: false, idempotent: true },
  run: async (context, { query }) => {
    const search = searchFrom(query)
    return isRefusal(search) ? search : listMentions(context, search, { limit: query.limit, cursor: query.cursor ?? null })
  },
})
