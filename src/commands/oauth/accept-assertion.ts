import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { assertionProblem, type ClientAssertion, keysFor, rememberedUntil } from '../../domain/oauth/client-assertion.ts'
import type { ClientKey } from '../../domain/oauth/client-keys.ts'
import { type OAuthRefusal, refuseOAuth } from '../../domain/oauth/refusal.ts'
import type { KnownClient } from '../../queries/oauth/find-client.ts'
import { sql } from '../../store/database.ts'
import type { Services } from '../writing.ts'

/** Finds the keys that a client keeps at an address, of which `isWanted` is one if that can be had; null when none can be read. */
export type FindKeys = (address: string, isWanted: (key: ClientKey) => boolean) => Promise<readonly ClientKey[] | null>

/** What an assertion is judged by: the names that we go by, and a way to keys. */
export interface AssertionCheck {
  audiences: readonly string[]
  findKeys: FindKeys
}

/** Believes a client that signs that it is itself (RFC 7523), each statement once. */
export async function acceptAssertion(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  client: KnownClient,
  assertion: ClientAssertion,
  { audiences, findKeys }: AssertionCheck,
): Promise<undefined | OAuthRefusal> {
  const problem = assertion.clientId === client.id ? assertionProblem(assertion, audiences, clock.now()) : 'speaks of another client'
  if (problem !== null) return notBelieved(problem)
  const keys = await keysOf(client, assertion, findKeys)
  if (typeof keys === 'string') return notBelieved(keys)
  if (!keysFor(assertion, keys).some((key) => isSignedBy(assertion, key))) return notBelieved('is not signed by a key of the client')
  const hash = createHash('sha256').update(assertion.id).digest()
  const noted = await db.query(sql`
    insert into oauth_assertion (client_id, hash, expires_at) values (${client.id}, ${hash}, ${rememberedUntil(assertion)})
    on conflict do nothing returning 1`)
  return noted.length === 1 ? undefined : notBelieved('was used before')
}

/** The keys of a client, or why there are none. */
async function keysOf({ keys, hasGrants }: KnownClient, assertion: ClientAssertion, findKeys: FindKeys): Promise<readonly ClientKey[] | string> {
  if (keys === null) return 'cannot be checked: the client has named no keys'
  if ('keys' in keys) return keys.keys
  // Anybody may register a client, and could have us knock at doors with it. One that nobody allows anything gets no tokens anyhow.
  if (!hasGrants) return 'cannot be checked: nobody has allowed the client anything'
  const found = await findKeys(keys.address, (key) => keysFor(assertion, [key]).length > 0)
  return found ?? 'cannot be checked: the keys at the jwks_uri of the client could not be read'
}

function isSignedBy({ algorithm, signed, signature }: ClientAssertion, { jwk }: ClientKey): boolean {
  const key = publicKeyFrom(jwk)
  if (key === null) return false
  const how = algorithm === 'ES256' ? ({ key, dsaEncoding: 'ieee-p1363' } as const) : key
  return verify('sha256', Buffer.from(signed, 'ascii'), how, Buffer.from(signature, 'base64url'))
}

function publicKeyFrom(jwk: ClientKey['jwk']): KeyObject | null {
  try {
    return createPublicKey({ key: { ...jwk }, format: 'jwk' })
  } catch {
    // Numbers that make no key, such as a point beside the curve.
    return null
  }
}

function notBelieved(why: string): OAuthRefusal {
  return refuseOAuth('invalid_client', `The client_assertion ${why}.`)
}
