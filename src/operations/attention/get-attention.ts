import { getAttention } from '../../queries/attention/get-attention.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'
import { attentionItem } from './shapes.ts'

export const getAttentionOperation = defineOperation({
  id: 'get-attention',
  method: 'GET',
  path: '/v1/attention/{id}',
  access: 'read',
  summary: 'Get an attention item',
  description: 'Returns one attention item, open or not. Items are kept for 90 days after they resolve.',
  tag: 'Attention',
  params: { id: idIn('att') },
  status: 200,
  output: attentionItem,
  errors: [],
  tool: { name: 'get_attention', title: 'Get an attention item', destructive: false, idempotent: true },
  run: (context, { params }) => getAttention(context, params.id),
})
