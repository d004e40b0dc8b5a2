import { z } from 'zod'
import { updateChannel } from '../../commands/channels/update-channel.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'
import { accountEventsIn, channel, emailsIn, headersIn, labelIn, urlIn } from './shapes.ts'

export const updateChannelOperation = defineOperation({
  id: 'update-channel',
  method: 'PATCH',
  path: '/v1/channels/{id}',
  access: 'write',
  summary: 'Change a channel',
  description:
    'Changes the fields that are sent; headers and events are replaced as a whole. Null brings the default label back and clears headers or events. Another url, other headers or switching off cancels what is not sent yet.',
  tag: 'Channels',
  params: { id: idIn('dest') },
  body: z.strictObject({
    url: urlIn.optional(),
    label: labelIn.nullable().optional(),
    headers: headersIn.nullable().optional(),
    events: accountEventsIn.nullable().optional(),
    enabled: z.boolean().optional(),
    emails: emailsIn.optional().meta({ description: 'Of an e-mail channel: its recipients from now on. New ones confirm first.' }),
  }),
  status: 200,
  output: channel,
  errors: ['delivery_not_configured', 'email_transport_unavailable', 'recipient_suppressed', 'confirmation_rate_limited'],
  tool: { name: 'update_channel', title: 'Change a channel', destructive: true, idempotent: true, openWorld: true },
  run: (context, { params, body }) => updateChannel(context, params.id, body),
})
