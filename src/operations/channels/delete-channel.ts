import { deleteChannel } from '../../commands/channels/delete-channel.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'

export const deleteChannelOperation = defineOperation({
  id: 'delete-channel',
  method: 'DELETE',
  path: '/v1/channels/{id}',
  access: 'write',
  summary: 'Delete a channel',
  description:
    'Deletes the channel and its delivery log, and removes it from all rules. Pending deliveries are not sent.',
  tag: 'Channels',
  params: { id: idIn('dest') },
  status: 204,
  errors: [],
  tool: { name: 'delete_channel', title: 'Delete a channel', destructive: true, idempotent: true },
  run: (context, { params }) => deleteChannel(context, params.id),
})
