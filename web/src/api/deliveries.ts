import { api, dataOf, type Schema } from './client.ts'
import type { operations } from './schema.d.ts'

export type Delivery = Schema<'Delivery'>
export type DeliveryQuery = NonNullable<operations['searchDeliveries']['parameters']['query']>

export function searchDeliveries(query: DeliveryQuery, signal: AbortSignal): Promise<Schema<'DeliverySearchPage'>> {
  return dataOf(api.GET('/v1/deliveries', { params: { query }, signal }))
}
