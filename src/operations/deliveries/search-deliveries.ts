import { z } from 'zod'
import { DELIVERY_KINDS, DELIVERY_STATUSES } from '../../domain/delivery/status.ts'
import { searchDeliveries } from '../../queries/deliveries/search-deliveries.ts'
import { defineOperation } from '../definition.ts'
import { idIn, listIn, PLAIN_DAY, pageIn, pageOut, timeIn } from '../shapes.ts'
import { delivery } from './shapes.ts'

export const searchDeliveriesOperation = defineOperation({
  id: 'search-deliveries',
  method: 'GET',
  path: '/v1/deliveries',
  access: 'read',
  summary: 'Search deliveries',
  description:
    'Returns the deliveries of all channels that match every condition, newest first. The log goes back 30 days ' +
    'by default. Tests are not listed.',
  tag: 'Deliveries',
  query: {
    ...pageIn,
    mentionId: idIn('mtn')
      .optional()
      .meta({ description: 'Deliveries of this mention, replays included. Digests that contain it are not returned.' }),
    alertId: idIn('feed')
      .optional()
      .meta({ description: 'Deliveries that this alert rule caused, alone or with other rules.' }),
    channelId: idIn('dest').optional().meta({ description: 'Deliveries to this channel.' }),
    status: listIn(z.enum(DELIVERY_STATUSES), DELIVERY_STATUSES.length)
      .optional()
      .meta({ description: 'Deliveries with one of these statuses.' }),
    kind: listIn(z.enum(DELIVERY_KINDS), DELIVERY_KINDS.length)
      .optional()
      .meta({ description: 'Deliveries of one of these kinds.' }),
    since: timeIn()
      .optional()
      .meta({ description: `Deliveries created at this time or later. ${PLAIN_DAY}.` }),
    until: timeIn()
      .optional()
      .meta({ description: `Deliveries created before this time. ${PLAIN_DAY}.` }),
  },
  status: 200,
  output: pageOut(delivery).meta({ id: 'DeliverySearchPage', description: 'A page of the log of a workspace.' }),
  errors: ['invalid_cursor', 'not_found'],
  tool: { name: 'search_deliveries', title: 'Search deliveries', destructive: false, idempotent: true },
  run: (context, { query: { limit, cursor, status, kind, ...search } }) =>
    searchDeliveries(
      context,
      {
        mentionId: search.mentionId ?? null,
        alertId: search.alertId ?? null,
        channelId: search.channelId ?? null,
        statuses: status ?? null,
        kinds: kind ?? null,
        since: search.since ?? null,
        until: search.until ?? null,
      },
      { limit, cursor: cursor ?? null },
    ),
})
