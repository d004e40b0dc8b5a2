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
  summary: 'Ask a recipient to confirm',
  description:
    'Mails a recipient of an e-mail channel who has not confirmed another link to do so. It works for a week. An ' +
    'address is asked three times a day at most, by all workspaces together. One that has confirmed is a ' +
    'conflict.',
  tag: 'Channels',
  params: { id: idIn('dest') },
  body: z
    .strictObject({
      email: z.email().max(254).meta({ description: 'An address among the recipients of the channel.' }),
    })
    .meta({ examples: [{ email: 'jane@example.com' }] }),
  status: 202,
  output: channel,
  errors: ['conflict', 'email_transport_unavailable', 'recipient_suppressed', 'confirmation_rate_limited'],
  tool: {
    name: 'create_confirmation',
    title: 'Ask a recipient to confirm',
    destructive: false,
    idempotent: false,
    openWorld: true,
  },
  run: (context, { params, body }) => createConfirmation(context, params.id, body.email),
})
