import { z } from 'zod'
import { ATTENTION_KINDS, ATTENTION_STATUSES } from '../../domain/attention/kinds.ts'
import { listAttention } from '../../queries/attention/list-attention.ts'
import { defineOperation } from '../definition.ts'
import { listIn, pageIn, pageOut } from '../shapes.ts'
import { attentionItem } from './shapes.ts'

export const listAttentionOperation = defineOperation({
  id: 'list-attention',
  method: 'GET',
  path: '/v1/attention',
  access: 'read',
  summary: 'List what deserves attention',
  description: [
    'Far more mentions than usual, far more negative ones, keywords that mostly bring noise, channels that take ' +
      'nothing any more, and deliveries that are held',
    'because as many wait as may (deliveries.waiting, about the workspace, which sends no event); the last opened ' +
      'first.',
    'It is looked for once after each full hour. A keyword has one open item of a kind at most, and so has a ' +
      'channel; it resolves by itself when it is over.',
    'Nothing counts as unusual before a keyword has collected for 24 hours under its present rules. Items are ' +
      'kept for 90 days after they resolved.',
  ].join(' '),
  tag: 'Attention',
  query: {
    ...pageIn,
    status: listIn(z.enum([...ATTENTION_STATUSES, 'all']), ATTENTION_STATUSES.length + 1)
      .default(['open'])
      .meta({ description: 'Items in one of these states, or all.' }),
    kind: listIn(z.enum(ATTENTION_KINDS), ATTENTION_KINDS.length)
      .optional()
      .meta({ description: 'Items of these kinds.' }),
  },
  status: 200,
  output: pageOut(attentionItem).meta({ id: 'AttentionPage', description: 'A page of attention items.' }),
  errors: ['invalid_cursor', 'not_found'],
  tool: { name: 'list_attention', title: 'List what deserves attention', destructive: false, idempotent: true },
  run: (context, { query }) =>
    listAttention(context, {
      statuses: query.status,
      kinds: query.kind ?? null,
      limit: query.limit,
      cursor: query.cursor ?? null,
    }),
})
