import { testChannel } from '../../commands/channels/test-channel.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'
import { TEST_LIMIT, testOutcomes } from './shapes.ts'

export const testChannelOperation = defineOperation({
  id: 'test-channel',
  method: 'POST',
  path: '/v1/channels/{id}/test',
  access: 'write',
  summary: 'Test a channel',
  description: 'Sends the event `test` with one attempt and returns the outcome. Tests are not in the delivery log.',
  tag: 'Channels',
  params: { id: idIn('dest') },
  status: 200,
  output: testOutcomes,
  errors: ['channel_disabled', 'delivery_key_unavailable', 'email_transport_unavailable', 'no_recipients'],
  limit: TEST_LIMIT,
  tool: { name: 'test_channel', title: 'Test a channel', destructive: false, idempotent: false, openWorld: true },
  run: (context, { params }) => testChannel(context, params.id),
})
