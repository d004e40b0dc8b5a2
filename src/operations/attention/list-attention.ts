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
  summary: 'List attention items',
  description: [
    'Returns unusually many or negative mentions, noisy keywords, failing channels, held deliveries and a disk that ' +
      'fills, last opened first. `deliveries.waiting` (too many wait) and `disk.filling` (first workspace only) send ' +
      'no event.',
    'Checks run after each full hour. A subject has at most one open item of a kind, which resolves when its ' +
      'condition ends.',
    'Spikes require 24 hours of collecting under the current rules. Items are kept for 90 days after they resolve.',
  ].join(' '),
  tag: 'Attention',
  query: {
    ...pageIn,
    status: listIn(z.enum([...ATTENTION_STATUSES, 'all']), ATTENTION_STATUSES.length + 1)
      .default(['open'])
      .meta({ description: 'Items in one of these states, or `all`.' }),
    kind: listIn(z.enum(ATTENTION_KINDS), ATTENTION_KINDS.length)
      .optional()
      .meta({ description: 'Items of these kinds.' }),
  },
  status: 200,
  output: pageOut(attentionItem).meta({ id: 'AttentionPage', description: 'A page of attention items.' }),
  errors: ['invalid_cursor', 'not_found'],
  tool: { name: 'list_attention', title: 'List attention items', destructive: false, idempotent: true },
  run: (context, { query }) =>
    listAttention(context, {
      statuses: query.status,
      kinds: query.kind ?? null,
      limit: query.limit,
      cursor: query.cursor ?? null,
    }),
})
