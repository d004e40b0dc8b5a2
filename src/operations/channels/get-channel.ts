import { isRefusal } from '../../domain/refusal/refusal.ts'
import { getChannel } from '../../queries/channels/get-channel.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'
import { channelFor } from '../without-credentials.ts'
import { channel } from './shapes.ts'

export const getChannelOperation = defineOperation({
  id: 'get-channel',
  method: 'GET',
  path: '/v1/channels/{id}',
  access: 'read',
  summary: 'Get a channel',
  description: 'Returns one channel with its statistics, without its secret.',
  tag: 'Channels',
  params: { id: idIn('dest') },
  status: 200,
  output: channel,
  errors: [],
  tool: { name: 'get_channel', title: 'Get a channel', destructive: false, idempotent: true },
  run: async (context, { params }) => {
    const shown = await getChannel(context, params.id)
    return isRefusal(shown) ? shown : channelFor(context, shown)
  },
})
