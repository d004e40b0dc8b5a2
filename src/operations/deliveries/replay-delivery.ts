import { replayDelivery } from '../../commands/deliveries/replay-delivery.ts'
import { defineOperation } from '../definition.ts'
import { delivery, deliveryNameIn, ofChannel, requestOf } from './shapes.ts'

export const replayDeliveryOperation = defineOperation({
  id: 'replay-delivery',
  method: 'POST',
  path: '/v1/deliveries/{id}/replay',
  access: 'write',
  summary: 'Send a finished delivery again',
  description:
    'Makes a new delivery with a new id and the same contents; a mention is sent as it is by then, and not at all ' +
    'once it is closed or removed. What receivers did with the first one is not known: it may arrive twice.',
  tag: 'Deliveries',
  params: { id: deliveryNameIn },
  query: ofChannel,
  body: requestOf,
  status: 202,
  output: delivery,
  errors: ['not_replayable', 'channel_disabled', 'request_conflict'],
  tool: {
    name: 'replay_delivery',
    title: 'Send a finished delivery again',
    destructive: false,
    idempotent: true,
    openWorld: true,
  },
  run: (context, { params, query, body }) =>
    replayDelivery(context, { name: params.id, channelId: query.channelId ?? null }, body.requestId),
})
