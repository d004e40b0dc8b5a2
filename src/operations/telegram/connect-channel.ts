import { connectChannel } from '../../commands/channels/telegram/connect-channel.ts'
import { channel } from '../channels/shapes.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'

export const connectChannelOperation = defineOperation({
  id: 'connect-channel',
  method: 'POST',
  path: '/v1/channels/{id}/connect',
  access: 'write',
  summary: 'Connect a chat',
  description:
    'Creates a link for a Telegram channel, in `config.connectUrl` of this response, that connects ' +
    'one chat within 15 minutes. Earlier links stop working. The current chat stays until the link ' +
    'is used; then its pending deliveries are cancelled.',
  tag: 'Channels',
  params: { id: idIn('dest') },
  status: 200,
  output: channel,
  errors: ['telegram_not_configured', 'upstream_unavailable'],
  tool: {
    name: 'connect_channel',
    title: 'Connect a chat',
    destructive: false,
    idempotent: false,
    openWorld: true,
  },
  run: (context, { params }) => connectChannel(context, params.id),
})
