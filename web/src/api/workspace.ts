import { api, dataOf, type Schema } from './client.ts'

export type Member = Schema<'Member'>
export type Source = Schema<'Source'>

export function listMembers(signal: AbortSignal): Promise<Schema<'MemberList'>> {
  return dataOf(api.GET('/v1/members', { signal }))
}

export function listSources(signal: AbortSignal): Promise<Schema<'ListSourcesAnswer'>> {
  return dataOf(api.GET('/v1/sources', { signal }))
}
