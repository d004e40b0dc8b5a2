import { api, dataOf, type Schema } from './client.ts'

export type ApiKey = Schema<'ApiKey'>

export function listApiKeys(signal: AbortSignal): Promise<Schema<'ApiKeyList'>> {
  return dataOf(api.GET('/v1/api-keys', { signal }))
}

/** Only this answer holds the key. */
export function createApiKey(body: Schema<'CreateApiKeyBody'>): Promise<Schema<'NewApiKey'>> {
  return dataOf(api.POST('/v1/api-keys', { body }))
}

export async function revokeApiKey(id: string): Promise<void> {
  await dataOf(api.DELETE('/v1/api-keys/{id}', { params: { path: { id } } }))
}
