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
  summary: 'Update a channel',
  description:
    'Updates the fields that are sent and keeps the others. `headers` and `events` are replaced as a ' +
    'whole. Null resets the label and clears `headers` and `events`. A new URL, new headers or ' +
    'disabling cancels pending deliveries. If the kind is no longer set up on this installation, ' +
    'everything except e-mail recipients can still be updated.',
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
      .meta({ description: 'All recipients of an e-mail channel. New recipients must confirm first.' }),
  }),
  status: 200,
  output: channel,
  errors: ['email_transport_unavailable', 'recipient_suppressed', 'confirmation_rate_limited'],
  tool: { name: 'update_channel', title: 'Update a channel', destructive: true, idempotent: true, openWorld: true },
  run: async (context, { params, body }) => {
    const shown = await updateChannel(context, params.id, body)
    return isRefusal(shown) ? shown : channelFor(context, shown)
  },
})
