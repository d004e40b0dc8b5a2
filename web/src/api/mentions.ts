import type { operations } from '../../../src/client/schema.d.ts'
import { api, dataOf, type Schema } from './client.ts'

export type Mention = Schema<'Mention'>
/** Parameters of lists of mentions, by the API's names. */
export type MentionQuery = NonNullable<operations['listMentions']['parameters']['query']>
export type MentionPage = Schema<'ListMentionsAnswer'>
export type MentionChange = Schema<'UpdateMentionBody'>
export type MentionHistory = Schema<'MentionChangePage'>
export type MentionCountQuery = NonNullable<operations['countMentions']['parameters']['query']>

export function listMentions(query: MentionQuery, signal: AbortSignal): Promise<MentionPage> {
  return dataOf(api.GET('/v1/mentions', { params: { query }, signal }))
}

export function countMentions(query: MentionCountQuery, signal: AbortSignal): Promise<Schema<'CountMentionsAnswer'>> {
  return dataOf(api.GET('/v1/mentions/count', { params: { query }, signal }))
}

export function getMention(id: string, signal: AbortSignal): Promise<Mention> {
  return dataOf(api.GET('/v1/mentions/{id}', { params: { path: { id } }, signal }))
}

export function listMentionChanges(id: string, signal: AbortSignal): Promise<MentionHistory> {
  return dataOf(api.GET('/v1/mentions/{id}/changes', { params: { path: { id } }, signal }))
}

/** At most 200 ids. A page that is being left still sends it. */
export function updateMentions(body: Schema<'UpdateMentionsBody'>): Promise<Schema<'UpdateMentionsAnswer'>> {
  return dataOf(api.PATCH('/v1/mentions', { body, keepalive: true }))
}

export function rescoreMention(id: string): Promise<Mention> {
  return dataOf(api.POST('/v1/mentions/{id}/rescore', { params: { path: { id } } }))
}
