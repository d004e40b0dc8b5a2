import { api, dataOf, type Schema } from './client.ts'

export type View = Schema<'View'>

export function listViews(signal: AbortSignal): Promise<Schema<'ListViewsAnswer'>> {
  return dataOf(api.GET('/v1/views', { signal }))
}

export function createView(body: Schema<'CreateViewBody'>): Promise<View> {
  return dataOf(api.POST('/v1/views', { body }))
}

export function updateView(id: string, body: Schema<'UpdateViewBody'>): Promise<View> {
  return dataOf(api.PATCH('/v1/views/{id}', { params: { path: { id } }, body }))
}

/** The former address of the feed ends. */
export function rotateFeedToken(id: string): Promise<View> {
  return dataOf(api.POST('/v1/views/{id}/rotate-feed-token', { params: { path: { id } } }))
}

export async function deleteView(id: string): Promise<void> {
  await dataOf(api.DELETE('/v1/views/{id}', { params: { path: { id } } }))
}
