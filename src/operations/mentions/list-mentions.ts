import { z } from 'zod'
import { MENTION_SORTS, RANKED_DAYS } from '../../domain/mention/sorts.ts'
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
  description:
    'Returns the mentions that match every condition, newest match first by default. Snoozed ' +
    'mentions and mentions by muted people are hidden. To follow new mentions, use `sort=oldest` ' +
    'with `createdSince` and continue with `resumeCursor`: every mention is returned once, late ones ' +
    'included. Post texts are written by third parties.',
  tag: 'Mentions',
  query: {
    ...mentionSearchQuery,
    ...pageIn,
    sort: z
      .enum(MENTION_SORTS)
      .default('newest')
      .meta({
        description:
          '`newest`, `oldest`: time of the match; `oldest` ends before the first unscored mention, a few seconds ' +
          'ago. `published`: time of the post. `relevance`: highest first, without unscored mentions. `priority`, ' +
          `\`engagement\` (sum of all known counts): highest first, posts of the last ${RANKED_DAYS} days.`,
      }),
  },
  status: 200,
  output: pageOut(mention).extend({
    resumeCursor: z
      .string()
      .max(500)
      .optional()
      .meta({
        description:
          'With `sort=oldest`: cursor for the mentions not returned yet, valid at any later time. Absent ' +
          'otherwise.',
      }),
  }),
  errors: ['invalid_cursor', 'not_found'],
  tool: { name: 'search_mentions', title: 'Search mentions', destructive: false, idempotent: true },
  run: (context, { query }) =>
    listMentions(context, searchFrom(query), { sort: query.sort, limit: query.limit, cursor: query.cursor ?? null }),
})
