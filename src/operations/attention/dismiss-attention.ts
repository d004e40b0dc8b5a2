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
    'Takes an open item off the list. The same does not open again before it has been over once. An item that is ' +
    'resolved or dismissed already is answered as it is.',
  tag: 'Attention',
  params: { id: idIn('att') },
  status: 200,
  output: attentionItem,
  errors: [],
  tool: { name: 'dismiss_attention', title: 'Dismiss an attention item', destructive: false, idempotent: true },
  run: (context, { params }) => dismissAttention(context, params.id),
})
