import { dismissAttention } from '../../commands/attention/dismiss-attention.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'
import { attentionItem } from './shapes.ts'

export const dismissAttentionOperation = defineOperation({
  id: 'dismiss-attention',
  method: 'POST',
  path: '/v1/attention/{id}/dismiss',
  access: 'write',
  summary: 'Dismiss an attention item',
  description:
    'Removes an open item from the list. The same item opens again only after its condition has ' +
    'ended once. Resolved and dismissed items are returned unchanged.',
  tag: 'Attention',
  params: { id: idIn('att') },
  status: 200,
  output: attentionItem,
  errors: [],
  tool: { name: 'dismiss_attention', title: 'Dismiss an attention item', destructive: false, idempotent: true },
  run: (context, { params }) => dismissAttention(context, params.id),
})
