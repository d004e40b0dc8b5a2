import { touchSession } from '../commands/accounts/touch-session.ts'
import { touchApiKey } from '../commands/api-keys/touch-api-key.ts'
import { type Refusal, refuse } from '../domain/refusal/refusal.ts'
import { workspaceMoved } from '../domain/workspace/moving.ts'
import { toolServerUrl } from '../domain/workspace/workspace.ts'
import { toId } from '../kernel/ids.ts'
import type { Agent } from '../kernel/origin.ts'
import { secretOf } from '../kernel/secrets.ts'
import { findKey, findSession, findToken } from '../queries/credentials.ts'
import { addressOfCredential } from '../queries/elsewhere.ts'
import type { Caller, Services } from './definition.ts'

/** What a request shows of itself: a bearer credential, or the secret of a session from its cookie. */
export type Presented = { kind: 'bearer'; text: string } | { kind: 'session'; secret: string }

/**
 * Finds out who is asking, as things stand now: a revocation, a removal or a change of role counts from the next
 * request on.
 */
export async function identify(
  services: Services,
  presented: Presented | null,
): Promise<Caller | Refusal<'unauthorized' | 'workspace_moved'>> {
  if (presented === null) return refuse('unauthorized', 'Missing or invalid credentials')
  const caller =
    presented.kind === 'session'
      ? await bySession(services, presented.secret)
      : await byBearer(services, presented.text)
  return caller ?? (await moved(services, presented)) ?? refuse('unauthorized', 'Invalid API key or access token')
}

async function moved({ db }: Services, presented: Presented): Promise<Refusal<'workspace_moved'> | null> {
  const secret = secretOf(presented.kind === 'session' ? presented.secret : presented.text)
  const address = secret === null ? null : await addressOfCredential(db, secret.hash)
  return address === null ? null : workspaceMoved(address)
}

/** The id behind a caller, for logs: of the key, or of the person. */
export function callerIdOf(caller: Caller): string {
  return caller.kind === 'api_key' ? toId('key', caller.apiKeyId) : toId('user', caller.user.id)
}

/** In whose name a caller acts. */
export function agentOf(caller: Caller): Agent {
  if (caller.kind === 'api_key') return { kind: 'api_key', id: caller.apiKeyId }
  return { kind: 'person', id: caller.user.id, grantId: caller.grantId }
}

async function byBearer(services: Services, text: string): Promise<Caller | null> {
  const secret = secretOf(text)
  if (secret?.kind === 'ref') return byKey(services, secret.hash)
  return secret?.kind === 'eat' ? byToken(services, secret.hash) : null
}

async function byKey(services: Services, hash: Buffer): Promise<Caller | null> {
  const found = await findKey(services.db, hash)
  if (found === null || found.revokedAt !== null || isOver(found.expiresAt, services)) return null
  await touchApiKey({ ...services, workspaceId: found.workspaceId }, hash, found.lastUsedAt)
  const { id: apiKeyId, workspaceId, workspaceName, deletesAt, scope, expiresAt } = found
  return { kind: 'api_key', workspaceId, workspaceName, deletesAt, scope, apiKeyId, expiresAt }
}

/** A token that was made for another address, such as one that this installation had before, is none of ours. */
async function byToken(services: Services, hash: Buffer): Promise<Caller | null> {
  const found = await findToken(services.db, hash)
  if (
    found === null ||
    found.revokedAt !== null ||
    isOver(found.expiresAt, services) ||
    found.resource !== toolServerUrl(services.publicUrl)
  )
    return null
  const { workspaceId, workspaceName, deletesAt, scope, expiresAt, role, grantId } = found
  const user = { id: found.userId, email: found.email, name: found.name }
  return { kind: 'oauth', workspaceId, workspaceName, deletesAt, scope, expiresAt, role, grantId, user }
}

async function bySession(services: Services, text: string): Promise<Caller | null> {
  const secret = secretOf(text)
  const found = secret?.kind === 'ses' ? await findSession(services.db, secret.hash) : null
  if (found === null || isOver(found.expiresAt, services)) return null
  await touchSession(services, secret!.hash, found.lastSeenAt)
  const { workspaceId, workspaceName, deletesAt, expiresAt, role } = found
  const user = { id: found.userId, email: found.email, name: found.name }
  return {
    kind: 'session',
    workspaceId,
    workspaceName,
    deletesAt,
    scope: 'write',
    expiresAt,
    role,
    grantId: null,
    user,
  }
}

function isOver(expiresAt: Date | null, { clock }: Services): boolean {
  return expiresAt !== null && expiresAt <= clock.now()
}
