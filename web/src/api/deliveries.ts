import { api, dataOf, type Schema } from './client.ts'
import type { operations } from './schema.d.ts'

export type Delivery = Schema<'Delivery'>
export type DeliveryDetail = Schema<'DeliveryDetail'>
export type DeliveryQuery = NonNullable<operations['searchDeliveries']['parameters']['query']>

export function searchDeliveries(query: DeliveryQuery, signal: AbortSignal): Promise<Schema<'DeliverySearchPage'>> {
  return dataOf(api.GET('/v1/deliveries', { params: { query }, signal }))
}

/** `channelId` says which log is meant, where a digest went to several channels. */
export function getDelivery(id: string, channelId: string, signal: AbortSignal): Promise<DeliveryDetail> {
  return dataOf(api.GET('/v1/deliveries/{id}', { params: { path: { id }, query: { channelId } }, signal }))
}
