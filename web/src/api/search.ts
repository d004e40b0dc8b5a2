import { api, dataOf, type Schema } from './client.ts'

export type SearchAnswer = Schema<'SearchPlatformsAnswer'>
export type FoundPost = Schema<'FoundPost'>
export type SearchedPlatform = Schema<'SearchedPlatform'>

export function searchPlatforms(body: Schema<'SearchPlatformsBody'>, signal: AbortSignal): Promise<SearchAnswer> {
  return dataOf(api.POST('/v1/search', { body, signal }))
}
