import { listChannels } from '../../queries/channels/list-channels.ts'
import { defineOperation } from '../definition.ts'
import { listOut } from '../shapes.ts'
import { channelFor } from '../without-credentials.ts'
import { channel } from './shapes.ts'

export const listChannelsOperation = defineOperation({
  id: 'list-channels',
  method: 'GET',
  path: '/v1/channels',
  access: 'read',
  summary: 'List channels',
  description: 'Returns all channels, oldest first, without secrets.',
  tag: 'Channels',
  status: 200,
  output: listOut(channel, 100_000).meta({ id: 'ChannelList', description: 'All channels.' }),
  errors: [],
  tool: { name: 'list_channels', title: 'List channels', destructive: false, idempotent: true },
  run: async (context) => ({ data: (await listChannels(context)).map((channel) => channelFor(context, channel)) }),
})
