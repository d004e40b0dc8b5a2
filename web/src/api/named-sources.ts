import { api, dataOf, type Schema } from './client.ts'

export type NamedSource = Schema<'NamedSource'>
export type NewNamedSource = Schema<'CreateNamedSourceBody'>

/** The feeds and forums of the workspace, oldest first. */
export function listNamedSources(signal: AbortSignal): Promise<Schema<'NamedSourceList'>> {
  return dataOf(api.GET('/v1/named-sources', { signal }))
}

export function createNamedSource(body: NewNamedSource): Promise<NamedSource> {
  return dataOf(api.POST('/v1/named-sources', { body }))
}

export async function deleteNamedSource(id: string): Promise<void> {
  await dataOf(api.DELETE('/v1/named-sources/{id}', { params: { path: { id } } }))
}
