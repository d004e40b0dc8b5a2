import { z } from 'zod'
import { listMentions, MENTION_SORTS, RANKED_DAYS } from '../../queries/mentions/list-mentions.ts'
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
  description:
    'Mentions that meet every condition, newest match first unless sort says otherwise. Mentions by muted people and snoozed ones are hidden. Post texts are written by third parties.',
  tag: 'Mentions',
  query: {
    ...mentionSearchQuery,
    ...pageIn,
    sort: z
      .enum(MENTION_SORTS)
      .default('newest')
      .meta({
        description: `newest: by the time of the match. published: by the time of the post. priority, and engagement (the sum of all known counts): the highest first, of posts of the last ${RANKED_DAYS} days.`,
      }),
  },
  status: 200,
  output: pageOut(mention),
  errors: ['invalid_cursor', 'not_found'],
  tool: { name: 'search_mentions', title: 'Search mentions', destructive: false, idempotent: true },
  run: (context, { query }) => listMentions(context, searchFrom(query), { sort: query.sort, limit: query.limit, cursor: query.cursor ?? null }),
})
