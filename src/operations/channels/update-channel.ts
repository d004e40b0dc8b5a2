import { z } from 'zod'
import { updateChannel } from '../../commands/channels/update-channel.ts'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'
import { channelFor } from '../without-credentials.ts'
import { accountEventsIn, channel, emailsIn, headersIn, labelIn, urlIn } from './shapes.ts'

export const updateChannelOperation = defineOperation({
  id: 'update-channel',
  method: 'PATCH',
  path: '/v1/channels/{id}',
  access: 'write',
  summary: 'Change a channel',
  description:
    'Changes the fields that are sent; headers and events are replaced as a whole. Null brings the default label ' +
    'back and clears headers or events. Another url, other headers or switching off cancels what is not sent yet. ' +
    'A channel whose kind is no longer set up on this installation can be changed all the same, but for the ' +
    'recipients of mail.',
  tag: 'Channels',
  params: { id: idIn('dest') },
  body: z.strictObject({
    url: urlIn.optional(),
    label: labelIn.nullable().optional(),
    headers: headersIn.nullable().optional(),
    events: accountEventsIn.nullable().optional(),
    enabled: z.boolean().optional(),
    emails: emailsIn
      .optional()
      .meta({ description: 'Of an e-mail channel: its recipients from now on. New ones confirm first.' }),
  }),
  status: 200,
  output: channel,
  errors: ['email_transport_unavailable', 'recipient_suppressed', 'confirmation_rate_limited'],
  tool: { name: 'update_channel', title: 'Change a channel', destructive: true, idempotent: true, openWorld: true },
  run: async (context, { params, body }) => {
    const shown = await updateChannel(context, params.id, body)
    return isRefusal(shown) ? shown : channelFor(context, shown)
  },
})
