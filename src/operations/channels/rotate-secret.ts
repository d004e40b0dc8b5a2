import { rotateSecret } from '../../commands/channels/rotate-secret.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'
import { channel } from './shapes.ts'

export const rotateSecretOperation = defineOperation({
  id: 'rotate-secret',
  method: 'POST',
  path: '/v1/channels/{id}/rotate-secret',
  access: 'write',
  summary: 'Replace the secret of a channel',
  description:
    'Gives the channel a new secret, which is in `config.secret` of this answer and never shown again. The old ' +
    'one stops at once. Only webhooks have one: for other kinds it is a conflict.',
  tag: 'Channels',
  params: { id: idIn('dest') },
  status: 200,
  output: channel,
  errors: ['conflict'],
  tool: { hidden: 'A secret does not belong into the conversation with a model.' },
  run: (context, { params }) => rotateSecret(context, params.id),
})
