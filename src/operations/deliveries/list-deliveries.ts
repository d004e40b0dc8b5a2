import { z } from 'zod'
import { DELIVERY_STATUSES } from '../../domain/delivery/status.ts'
import { DELIVERY_SORTS, listDeliveries } from '../../queries/deliveries/list-deliveries.ts'
import { defineOperation } from '../definition.ts'
import { idIn, listIn, PLAIN_DAY, pageIn, pageOut, timeIn } from '../shapes.ts'
import { delivery } from './shapes.ts'

export const listDeliveriesOperation = defineOperation({
  id: 'list-deliveries',
  method: 'GET',
  path: '/v1/channels/{id}/deliveries',
  access: 'read',
  summary: "List a channel's deliveries",
  description: 'Returns the delivery log of a channel, newest first. Tests are not listed.',
  tag: 'Deliveries',
  params: { id: idIn('dest') },
  query: {
    ...pageIn,
    status: listIn(z.enum(DELIVERY_STATUSES), DELIVERY_STATUSES.length)
      .optional()
      .meta({ description: 'Deliveries with one of these statuses.' }),
    since: timeIn()
      .optional()
      .meta({ description: `Deliveries created at this time or later. ${PLAIN_DAY}.` }),
    sort: z.enum(DELIVERY_SORTS).default('newest').meta({ description: 'Order by time, newest or oldest first.' }),
  },
  status: 200,
  output: pageOut(delivery).meta({ id: 'DeliveryPage', description: "A page of a channel's log." }),
  errors: ['invalid_cursor'],
  tool: { name: 'list_deliveries', title: "List a channel's deliveries", destructive: false, idempotent: true },
  run: (context, { params, query: { status, since, sort, limit, cursor } }) =>
    listDeliveries(context, params.id, {
      statuses: status ?? null,
      since: since ?? null,
      sort,
      limit,
      cursor: cursor ?? null,
    }),
})
