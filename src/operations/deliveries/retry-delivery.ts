import { retryDelivery } from '../../commands/deliveries/retry-delivery.ts'
import { defineOperation } from '../definition.ts'
import { delivery, deliveryNameIn, ofChannel, requestOf } from './shapes.ts'

export const retryDeliveryOperation = defineOperation({
  id: 'retry-delivery',
  method: 'POST',
  path: '/v1/deliveries/{id}/retry',
  access: 'write',
  summary: 'Retry a delivery',
  description:
    'Queues a failed or held delivery again under the same id with a full set of attempts. A mention ' +
    'that is ignored, done or removed, or whose author is muted, returns `not_retryable`. A digest ' +
    'can be retried for 6 hours after it was due, an hourly digest until 45 minutes past the next ' +
    'hour.',
  tag: 'Deliveries',
  params: { id: deliveryNameIn },
  query: ofChannel,
  body: requestOf,
  status: 202,
  output: delivery,
  errors: [
    'not_retryable',
    'channel_disabled',
    'digest_retry_expired',
    'digest_has_replay',
    'email_hourly_limit',
    'email_idempotency_expired',
    'request_conflict',
  ],
  tool: {
    name: 'retry_delivery',
    title: 'Retry a delivery',
    destructive: false,
    idempotent: true,
    openWorld: true,
  },
  run: (context, { params, query, body }) =>
    retryDelivery(context, { name: params.id, channelId: query.channelId ?? null }, body.requestId),
})
