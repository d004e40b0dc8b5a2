import { replayDelivery } from '../../commands/deliveries/replay-delivery.ts'
import { defineOperation } from '../definition.ts'
import { delivery, deliveryNameIn, ofChannel, requestOf } from './shapes.ts'

export const replayDeliveryOperation = defineOperation({
  id: 'replay-delivery',
  method: 'POST',
  path: '/v1/deliveries/{id}/replay',
  access: 'write',
  summary: 'Replay a delivery',
  description:
    'Creates a new delivery, with a new id, of a finished one. A mention is sent in its current ' +
    'state, and not sent if it is closed or removed. The receiver may get the contents twice.',
  tag: 'Deliveries',
  params: { id: deliveryNameIn },
  query: ofChannel,
  body: requestOf,
  status: 202,
  output: delivery,
  errors: ['not_replayable', 'channel_disabled', 'request_conflict'],
  tool: {
    name: 'replay_delivery',
    title: 'Replay a delivery',
    destructive: false,
    idempotent: true,
    openWorld: true,
  },
  run: (context, { params, query, body }) =>
    replayDelivery(context, { name: params.id, channelId: query.channelId ?? null }, body.requestId),
})
