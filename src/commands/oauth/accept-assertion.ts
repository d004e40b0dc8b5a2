import { createHash } from 'node:crypto'
import {
  assertionProblem,
  type ClientAssertion,
  keyFor,
  mayBe,
  rememberedUntil,
} from '../../domain/oauth/client-assertion.ts'
import type { ClientKey } from '../../domain/oauth/client-keys.ts'
import { type OAuthRefusal, refuseOAuth } from '../../domain/oauth/refusal.ts'
import type { KnownClient } from '../../queries/oauth/find-client.ts'
import { sql } from '../../store/database.ts'
import type { Services } from '../writing.ts'
import type { PublicKeys } from './public-keys.ts'

/** Includes a key that `isWanted` if there is one; null when unreadable. */
export type FindKeys = (address: string, isWanted: (key: ClientKey) => boolean) => Promise<readonly ClientKey[] | null>

export interface AssertionCheck {
  audiences: readonly string[]
  findKeys: FindKeys
  publicKeys: PublicKeys
}

/** RFC 7523; each assertion is accepted once. */
export async function acceptAssertion(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  client: KnownClient,
  assertion: ClientAssertion,
  { audiences, findKeys, publicKeys }: AssertionCheck,
): Promise<undefined | OAuthRefusal> {
  const problem =
    assertion.clientId === client.id ? assertionProblem(assertion, audiences, clock.now()) : 'speaks of another client'
  if (problem !== null) return notBelieved(problem)
  const keys = await keysOf(client, assertion, findKeys)
  if (typeof keys === 'string') return notBelieved(keys)
  if (assertion.kid === null && keys.length > 1) return notBelieved('must name its key (kid): the client has several')
  const key = keyFor(assertion, keys)
  if (key === null || !(await publicKeys.hasSigned(key, assertion)))
    return notBelieved('is not signed by a key of the client')
  const hash = createHash('sha256').update(assertion.id).digest()
  const noted = await db.query(sql`
    insert into oauth_assertion (client_id, hash, expires_at)
      values (${client.id}, ${hash}, ${rememberedUntil(assertion)})
    on conflict do nothing returning 1`)
  return noted.length === 1 ? undefined : notBelieved('was used before')
}

async function keysOf(
  { keys, hasGrants }: KnownClient,
  assertion: ClientAssertion,
  findKeys: FindKeys,
): Promise<readonly ClientKey[] | string> {
  if (keys === null) return 'cannot be checked: the client has named no keys'
  if ('keys' in keys) return keys.keys
  // Anybody can register a foreign address for keys, so only those of clients with a grant are read. Others get no
  // tokens anyway.
  if (!hasGrants) return 'cannot be checked: nobody has allowed the client anything'
  const found = await findKeys(keys.address, (key) => mayBe(assertion, key))
  return found ?? 'cannot be checked: the keys at the jwks_uri of the client could not be read'
}

function notBelieved(why: string): OAuthRefusal {
  return refuseOAuth('invalid_client', `The client_assertion ${why}.`)
}
