import { rotateSecret } from '../../commands/channels/rotate-secret.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'
import { channel } from './shapes.ts'

export const rotateSecretOperation = defineOperation({
  id: 'rotate-secret',
  method: 'POST',
  path: '/v1/channels/{id}/rotate-secret',
  access: 'write',
  summary: "Rotate a channel's secret",
  description:
    'Replaces the signing secret of a webhook channel. The new secret is in `config.secret` of this ' +
    'response and is never returned again. The old secret stops working immediately. Other kinds of ' +
    'channels return a conflict.',
  tag: 'Channels',
  params: { id: idIn('dest') },
  status: 200,
  output: channel,
  errors: [],
  tool: { hidden: 'A secret does not belong in a conversation with a model.' },
  run: (context, { params }) => rotateSecret(context, params.id),
})
