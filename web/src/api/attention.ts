import type { operations } from '../../../src/client/schema.d.ts'
import { api, dataOf, type Schema } from './client.ts'

export type AttentionItem = Schema<'AttentionItem'>
export type AttentionPage = Schema<'AttentionPage'>
export type AttentionQuery = NonNullable<operations['listAttention']['parameters']['query']>

/** Open items unless the query names other states. */
export function listAttention(query: AttentionQuery, signal: AbortSignal): Promise<AttentionPage> {
  return dataOf(api.GET('/v1/attention', { params: { query }, signal }))
}

export function getAttention(id: string, signal: AbortSignal): Promise<AttentionItem> {
  return dataOf(api.GET('/v1/attention/{id}', { params: { path: { id } }, signal }))
}

export function dismissAttention(id: string): Promise<AttentionItem> {
  return dataOf(api.POST('/v1/attention/{id}/dismiss', { params: { path: { id } } }))
}

export function dismissAttentionItems(ids: string[]): Promise<Schema<'DismissAttentionItemsAnswer'>> {
  return dataOf(api.POST('/v1/attention/dismiss', { body: { ids } }))
}
