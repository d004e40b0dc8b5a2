import { isRefusal } from '../../domain/refusal/refusal.ts'
import { getDelivery } from '../../queries/deliveries/get-delivery.ts'
import { defineOperation } from '../definition.ts'
import { deliveryFor } from '../without-credentials.ts'
import { deliveryDetail, deliveryNameIn, ofChannel } from './shapes.ts'

export const getDeliveryOperation = defineOperation({
  id: 'get-delivery',
  method: 'GET',
  path: '/v1/deliveries/{id}',
  access: 'read',
  summary: 'Get a delivery',
  description:
    'Returns a delivery with the request and response of each attempt. Kept for 30 days by default. Read-only ' +
    'credentials see no signatures.',
  tag: 'Deliveries',
  params: { id: deliveryNameIn },
  query: ofChannel,
  status: 200,
  output: deliveryDetail,
  errors: [],
  tool: { name: 'get_delivery', title: 'Get a delivery', destructive: false, idempotent: true },
  run: async (context, { params, query }) => {
    const found = await getDelivery(context, { name: params.id, channelId: query.channelId ?? null })
    return isRefusal(found) ? found : deliveryFor(context, found)
  },
})
