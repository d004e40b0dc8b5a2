import { connectChannel } from '../../commands/channels/telegram/connect-channel.ts'
import { channel } from '../channels/shapes.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'

export const connectChannelOperation = defineOperation({
  id: 'connect-channel',
  method: 'POST',
  path: '/v1/channels/{id}/connect',
  access: 'write',
  summary: 'Connect a channel to a chat',
  description:
    'Gives a Telegram channel a fresh link, in `config.connectUrl` of this answer, by which a chat is connected ' +
    'within 15 minutes, once. The links before it stop working. A channel that has a chat keeps it until the link ' +
    'is used; what it has not sent by then is cancelled.',
  tag: 'Channels',
  params: { id: idIn('dest') },
  status: 200,
  output: channel,
  errors: ['telegram_not_configured', 'upstream_unavailable', 'conflict'],
  tool: {
    name: 'connect_channel',
    title: 'Connect a channel to a chat',
    destructive: false,
    idempotent: false,
    openWorld: true,
  },
  run: (context, { params }) => connectChannel(context, params.id),
})
