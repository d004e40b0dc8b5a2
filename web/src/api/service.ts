import { api, dataOf, type Schema } from './client.ts'

export type Identity = Schema<'Identity'>

export function whoami(signal: AbortSignal): Promise<Identity> {
  return dataOf(api.GET('/v1/whoami', { signal }))
}

export function getHealth(signal: AbortSignal): Promise<Schema<'Health'>> {
  return dataOf(api.GET('/v1/health', { signal }))
}
