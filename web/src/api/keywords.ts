import type { operations } from '../../../src/client/schema.d.ts'
import { api, dataOf, type Schema } from './client.ts'

export type Keyword = Schema<'Keyword'>
export type KeywordHealth = Schema<'KeywordHealth'>
export type Suggestion = Schema<'KeywordSuggestion'>
export type Explanation = Schema<'ExplainKeywordAnswer'>
export type KeywordHint = Schema<'KeywordHint'>
export type CreatedKeyword = Schema<'CreateKeywordAnswer'>
export type KeywordChange = Schema<'UpdateKeywordBody'>
export type RejectedPost = Schema<'RejectedPost'>
export type KeywordListQuery = NonNullable<operations['listKeywords']['parameters']['query']>
export type HealthQuery = NonNullable<operations['getKeywordHealth']['parameters']['query']>
export type RejectedQuery = NonNullable<operations['listRejected']['parameters']['query']>

export function listKeywords(query: KeywordListQuery, signal: AbortSignal): Promise<Schema<'ListKeywordsAnswer'>> {
  return dataOf(api.GET('/v1/keywords', { params: { query }, signal }))
}

export function getKeyword(id: string, signal: AbortSignal): Promise<Keyword> {
  return dataOf(api.GET('/v1/keywords/{id}', { params: { path: { id } }, signal }))
}

export function createKeyword(body: Schema<'CreateKeywordBody'>): Promise<CreatedKeyword> {
  return dataOf(api.POST('/v1/keywords', { body }))
}

export function updateKeyword(id: string, body: KeywordChange): Promise<Keyword> {
  return dataOf(api.PATCH('/v1/keywords/{id}', { params: { path: { id } }, body }))
}

export async function deleteKeyword(id: string): Promise<void> {
  await dataOf(api.DELETE('/v1/keywords/{id}', { params: { path: { id } } }))
}

export function getKeywordHealth(id: string, query: HealthQuery, signal: AbortSignal): Promise<KeywordHealth> {
  return dataOf(api.GET('/v1/keywords/{id}/health', { params: { path: { id }, query }, signal }))
}

export function explainKeyword(
  id: string,
  body: Schema<'ExplainKeywordBody'>,
  signal?: AbortSignal,
): Promise<Explanation> {
  return dataOf(api.POST('/v1/keywords/{id}/explain', { params: { path: { id } }, body, signal: signal ?? null }))
}

export function listRejected(id: string, query: RejectedQuery, signal: AbortSignal): Promise<Schema<'RejectedPage'>> {
  return dataOf(api.GET('/v1/keywords/{id}/rejected', { params: { path: { id }, query }, signal }))
}
