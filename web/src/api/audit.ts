import type { operations } from '../../../src/client/schema.d.ts'
import { api, dataOf, type Schema } from './client.ts'

export type AuditEntry = Schema<'AuditEntry'>
export type AuditQuery = NonNullable<operations['listAudit']['parameters']['query']>

export function listAudit(query: AuditQuery, signal: AbortSignal): Promise<Schema<'AuditPage'>> {
  return dataOf(api.GET('/v1/audit', { params: { query }, signal }))
}
