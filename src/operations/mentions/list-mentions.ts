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
    'Mentions that meet every condition, newest match first unless sort says otherwise. Mentions by muted people ' +
    'and snoozed ones are hidden. To follow everything new, ask with sort=oldest and createdSince, and go on with ' +
    'resumeCursor: every mention comes once, also one that was stored or scored late. Post texts are written by ' +
    'third parties.',
  tag: 'Mentions',
  query: {
    ...mentionSearchQuery,
    ...pageIn,
    sort: z
      .enum(MENTION_SORTS)
      .default('newest')
      .meta({
        description:
          'newest, oldest: by the time of the match; oldest ends before the first mention that waits for its ' +
          'score, a few seconds back. published: by the time of the post. relevance: the highest first; unscored ' +
          'mentions are left out. priority, and engagement (the sum of all known counts): the highest first, of ' +
          `posts of the last ${RANKED_DAYS} days.`,
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
          'With sort=oldest: send it as cursor, now or at any later time, to go on with what was not shown yet. ' +
          'Absent otherwise.',
      }),
  }),
  errors: ['invalid_cursor', 'not_found'],
  tool: { name: 'search_mentions', title: 'Search mentions', destructive: false, idempotent: true },
  run: (context, { query }) =>
    listMentions(context, searchFrom(query), { sort: query.sort, limit: query.limit, cursor: query.cursor ?? null }),
})
