import { api, dataOf, type Schema } from './client.ts'

export type Filters = Schema<'Filters'>
export type FiltersChange = Schema<'UpdateFiltersBody'>

export function getFilters(signal: AbortSignal): Promise<Filters> {
  return dataOf(api.GET('/v1/filters', { signal }))
}

export function updateFilters(body: FiltersChange): Promise<Filters> {
  return dataOf(api.PATCH('/v1/filters', { body }))
}
