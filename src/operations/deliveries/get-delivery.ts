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
  summary: 'Get a delivery with its attempts',
  description:
    'Tells what each attempt sent and what came back. Kept for 30 days. Who may only read sees no signatures.',
  tag: 'Deliveries',
  params: { id: deliveryNameIn },
  query: ofChannel,
  status: 200,
  output: deliveryDetail,
  errors: [],
  tool: { name: 'get_delivery', title: 'Get a delivery with its attempts', destructive: false, idempotent: true },
  run: async (context, { params, query }) => {
    const found = await getDelivery(context, { name: params.id, channelId: query.channelId ?? null })
    return isRefusal(found) ? found : deliveryFor(context, found)
  },
})
