import type { operations } from '../../../src/client/schema.d.ts'
import { api, dataOf, type Schema } from './client.ts'

export type Delivery = Schema<'Delivery'>
export type DeliveryDetail = Schema<'DeliveryDetail'>
export type DeliveryQuery = NonNullable<operations['searchDeliveries']['parameters']['query']>

export function searchDeliveries(query: DeliveryQuery, signal: AbortSignal): Promise<Schema<'DeliverySearchPage'>> {
  return dataOf(api.GET('/v1/deliveries', { params: { query }, signal }))
}

/** `channelId` says which log is meant, where a digest went to several channels; null takes the first. */
export function getDelivery(id: string, channelId: string | null, signal: AbortSignal): Promise<DeliveryDetail> {
  const query = channelId === null ? {} : { channelId }
  return dataOf(api.GET('/v1/deliveries/{id}', { params: { path: { id }, query }, signal }))
}

/** A request with an id that was used before does nothing more. */
interface Resent {
  id: string
  channelId: string
  requestId: string
}

/** Goes on with a failed or held delivery, under its id. */
export function retryDelivery({ id, channelId, requestId }: Resent): Promise<Delivery> {
  const params = { path: { id }, query: { channelId } }
  return dataOf(api.POST('/v1/deliveries/{id}/retry', { params, body: { requestId } }))
}

/** Sends the contents of a finished delivery once more, under a new id. */
export function replayDelivery({ id, channelId, requestId }: Resent): Promise<Delivery> {
  const params = { path: { id }, query: { channelId } }
  return dataOf(api.POST('/v1/deliveries/{id}/replay', { params, body: { requestId } }))
}
