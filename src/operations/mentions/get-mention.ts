import { getMention } from '../../queries/mentions/get-mention.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'
import { mention } from './shapes.ts'

export const getMentionOperation = defineOperation({
  id: 'get-mention',
  method: 'GET',
  path: '/v1/mentions/{id}',
  access: 'read',
  summary: 'Get a mention',
  description: 'Returns one mention with its post, author and score.',
  tag: 'Mentions',
  params: { id: idIn('mtn') },
  status: 200,
  output: mention,
  errors: [],
  tool: { name: 'get_mention', title: 'Get a mention', destructive: false, idempotent: true },
  run: (context, { params }) => getMention(context, params.id),
})
