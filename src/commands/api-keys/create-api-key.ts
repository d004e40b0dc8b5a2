import { isRefusal, type Refusal, refuse, refuseField } from '../../domain/refusal/refusal.ts'
import { WORKSPACE_LIMITS } from '../../domain/workspace/limits.ts'
import { newUuid } from '../../kernel/ids.ts'
import { newSecret } from '../../kernel/secrets.ts'
import { type ApiKey, type ApiKeyRow, apiKeyFromRow } from '../../queries/api-keys.ts'
import { sql, type Transaction } from '../../store/database.ts'
import { recordAndNotify } from '../audit/record-and-notify.ts'
import { keepGrant } from '../oauth/keep-grant.ts'
import { once } from '../once.ts'
import type { WritingContext } from '../writing.ts'

/** Expired keys count until they are revoked. */
export const API_KEY_LIMIT = WORKSPACE_LIMITS.apiKeys

export interface NewApiKey {
  name: string
  scope: 'read' | 'write'
  /** Null for a key that does not expire. */
  expiresAt: Date | null
  requestId?: string | undefined
}

type Made = (ApiKey & { key: string }) | Refusal<'key_limit' | 'validation_error' | 'unauthorized'>

/** Only the hash of the secret is stored. A repeated request within a day gets the same sealed answer. */
export async function createApiKey(
  writing: WritingContext,
  { requestId, ...input }: NewApiKey,
): Promise<Made | Refusal<'request_conflict'>> {
  return once<Made>(writing, { operation: 'create-api-key', requestId, body: input }, (tx) =>
    makeKey(tx, writing, input),
  )
}

async function makeKey(tx: Transaction, writing: WritingContext, { name, scope, expiresAt }: NewApiKey): Promise<Made> {
  const { clock, workspaceId } = writing
  const now = clock.now()
  if (expiresAt !== null && expiresAt <= now) return refuseField('expiresAt', 'must be in the future')
  const { text: key, hash } = newSecret('ref')
  // Concurrent keys must not exceed the limit.
  await tx.query(sql`select 1 from workspace where id = ${workspaceId} for no key update`)
  const grantId = await keepGrant(tx, workspaceId)
  if (isRefusal(grantId)) return grantId
  const [count] = await tx.query<{ keys: number }>(
    sql`select count(*) as keys from api_key where workspace_id = ${workspaceId} and revoked_at is null`,
  )
  if (count!.keys >= API_KEY_LIMIT) return refuse('key_limit', `The workspace has ${API_KEY_LIMIT} unrevoked API keys.`)
  const [row] = await tx.query<ApiKeyRow>(sql`
    insert into api_key (hash, workspace_id, id, name, prefix, scope, grant_id, created_at, expires_at)
    values (${hash}, ${workspaceId}, ${newUuid(now)}, ${name}, ${key.slice(0, PREFIX_LENGTH)}, ${scope}, ${grantId},
      ${now}, ${expiresAt})
    returning id, name, prefix, scope, created_at, last_used_at, expires_at`)
  const made = apiKeyFromRow(row!)
  const data = { scope, expiresAt: made.expiresAt }
  await recordAndNotify(tx, writing, { workspaceId, kind: 'api_key.created', target: { id: made.id, name }, data }, now)
  return { ...made, key }
}

/** `ref_` and six of its 43 characters: useless for guessing the key. */
const PREFIX_LENGTH = 10
