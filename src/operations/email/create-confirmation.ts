import { z } from 'zod'
import { createConfirmation } from '../../commands/channels/email/create-confirmation.ts'
import { channel } from '../channels/shapes.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'

export const createConfirmationOperation = defineOperation({
  id: 'create-confirmation',
  method: 'POST',
  path: '/v1/channels/{id}/confirmations',
  access: 'write',
  summary: 'Resend a confirmation',
  description:
    'Mails a new confirmation link, valid for a week, to an unconfirmed recipient of an e-mail ' +
    'channel. An address gets at most three such mails a day from all workspaces together. A ' +
    'confirmed recipient returns a conflict.',
  tag: 'Channels',
  params: { id: idIn('dest') },
  body: z
    .strictObject({
      email: z.email().max(254).meta({ description: 'Address of a recipient of the channel.' }),
    })
    .meta({ examples: [{ email: 'jane@example.com' }] }),
  status: 202,
  output: channel,
  errors: ['email_transport_unavailable', 'recipient_suppressed', 'confirmation_rate_limited'],
  tool: {
    name: 'create_confirmation',
    title: 'Resend a confirmation',
    destructive: false,
    idempotent: false,
    openWorld: true,
  },
  run: (context, { params, body }) => createConfirmation(context, params.id, body.email),
})
