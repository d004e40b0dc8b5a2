import { z } from 'zod'
import { createChannel } from '../../commands/channels/create-channel.ts'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { WORKSPACE_LIMITS } from '../../domain/workspace/limits.ts'
import { defineOperation } from '../definition.ts'
import { lineIn, requestIdIn } from '../shapes.ts'
import { channelFor } from '../without-credentials.ts'
import { accountEventsIn, attentionEventsIn, channel, emailsIn, headersIn, labelIn, urlIn } from './shapes.ts'

const requestId = requestIdIn.optional()
const webhook = z.strictObject({
  kind: z.literal('webhook'),
  url: urlIn,
  label: labelIn.optional().meta({ description: 'Label. Default: the host of the URL.' }),
  headers: headersIn.optional(),
  events: accountEventsIn.optional(),
  requestId,
})
const slack = z.strictObject({
  kind: z.literal('slack'),
  channelId: lineIn(1, 100),
  channelName: lineIn(1, 100),
  events: attentionEventsIn.optional(),
  requestId,
})
const telegram = z.strictObject({ kind: z.literal('telegram'), events: attentionEventsIn.optional(), requestId })
const email = z.strictObject({
  kind: z.literal('email'),
  emails: emailsIn,
  events: attentionEventsIn.optional(),
  requestId,
})

export const createChannelOperation = defineOperation({
  id: 'create-channel',
  method: 'POST',
  path: '/v1/channels',
  access: 'write',
  summary: 'Create a channel',
  description:
    'Creates a destination for mentions and events. The signing secret of a webhook is in `config.secret` of this ' +
    'response and is never returned again. Tools do not receive it; rotate it over REST with ' +
    'POST /v1/channels/{id}/rotate-secret. A kind that is not set up on this installation is refused. A workspace ' +
    `has at most ${WORKSPACE_LIMITS.channels} channels; one more is a conflict.`,
  tag: 'Channels',
  body: z.discriminatedUnion('kind', [webhook, slack, telegram, email]),
  status: 201,
  output: channel,
  errors: [
    'request_conflict',
    'delivery_not_configured',
    'slack_not_configured',
    'telegram_not_configured',
    'email_not_configured',
    'slack_not_connected',
    'recipient_suppressed',
    'confirmation_rate_limited',
    'upstream_unavailable',
  ],
  tool: { name: 'create_channel', title: 'Create a channel', destructive: false, idempotent: false, openWorld: true },
  run: async (context, { body }) => {
    const shown = await createChannel(context, body)
    return isRefusal(shown) ? shown : channelFor(context, shown)
  },
})
