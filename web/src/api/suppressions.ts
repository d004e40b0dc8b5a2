import { api, dataOf, type Schema } from './client.ts'

export type Suppression = Schema<'Suppression'>

export function listSuppressions(
  query: { limit: number; cursor?: string },
  signal: AbortSignal,
): Promise<Schema<'SuppressionPage'>> {
  return dataOf(api.GET('/v1/suppressions', { params: { query }, signal }))
}

export async function removeSuppression(id: string): Promise<void> {
  await dataOf(api.DELETE('/v1/suppressions/{id}', { params: { path: { id } } }))
}
