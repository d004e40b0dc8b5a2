import { timingSafeEqual } from 'node:crypto'
import { acceptAssertion } from '../../commands/oauth/accept-assertion.ts'
import { ASSERTION_TYPE, type ClientAssertion, readAssertion } from '../../domain/oauth/client-assertion.ts'
import { type OAuthRefusal, refuseOAuth } from '../../domain/oauth/refusal.ts'
import { secretOf } from '../../kernel/secrets.ts'
import { findClient, type KnownClient } from '../../queries/oauth/find-client.ts'
import { type OAuthContext, PATHS } from './context.ts'

interface Shown {
  id: string
  secret: string | null
  assertion: ClientAssertion | null
}

/**
 * Authenticates a client by secret or signed assertion. The secret may come in the header or the form, because clients
 * mix these up.
 */
export async function authenticateClient(
  context: OAuthContext,
  authorization: string | undefined,
  given: URLSearchParams,
): Promise<KnownClient | OAuthRefusal> {
  const shown = authorization === undefined ? shownIn(given) : shownBy(authorization, given)
  if (!('id' in shown)) return shown
  const client = await findClient(context.services.db, shown.id)
  if (client === null) return refuseOAuth('invalid_client', 'There is no such client; it may have to register again.')
  return (await problemWith(context, client, shown)) ?? client
}

async function problemWith(
  { services, findKeys, publicKeys }: OAuthContext,
  client: KnownClient,
  { secret, assertion }: Shown,
): Promise<OAuthRefusal | undefined> {
  const { publicUrl } = services
  if (assertion !== null) {
    if (client.secretHash !== null)
      return refuseOAuth('invalid_client', 'This client has a secret, but a client_assertion was sent.')
    // Clients take these names from our metadata; some add a slash to the issuer.
    return acceptAssertion(services, client, assertion, {
      audiences: [publicUrl, `${publicUrl}/`, publicUrl + PATHS.token],
      findKeys,
      publicKeys,
    })
  }
  if (client.authMethod === 'private_key_jwt')
    return refuseOAuth('invalid_client', 'The client_assertion is missing; this client signs.')
  if (client.secretHash === null)
    return secret === null ? undefined : refuseOAuth('invalid_client', 'This client has no secret, but one was sent.')
  const shown = secret === null ? null : secretOf(secret)
  const fits = shown !== null && shown.kind === 'ecs' && timingSafeEqual(shown.hash, client.secretHash)
  return fits ? undefined : refuseOAuth('invalid_client', 'The secret of the client is missing or wrong.')
}

function shownIn(given: URLSearchParams): Shown | OAuthRefusal {
  const [id, secret, text] = [given.get('client_id'), given.get('client_secret'), given.get('client_assertion')]
  if (text === null)
    return id === null ? refuseOAuth('invalid_client', 'client_id is missing.') : { id, secret, assertion: null }
  if (secret !== null) return refuseOAuth('invalid_request', 'The client authenticates in two ways. Use one.')
  const assertion = given.get('client_assertion_type') === ASSERTION_TYPE ? readAssertion(text) : null
  if (assertion === null)
    return refuseOAuth('invalid_client', 'The client_assertion cannot be read, or is of another type than jwt-bearer.')
  return { id: id ?? assertion.clientId, secret: null, assertion }
}

/** RFC 6749, section 2.3.1: id and secret are form-encoded. */
function shownBy(authorization: string, given: URLSearchParams): Shown | OAuthRefusal {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization)?.[1]
  const [, id, secret] =
    /^([^:]+):(.*)$/s
      .exec(encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8'))
      ?.map(decoded) ?? []
  if (id === null || id === undefined || secret === null || secret === undefined)
    return refuseOAuth('invalid_client', 'The Authorization header cannot be read.')
  if (given.has('client_secret') || given.has('client_assertion'))
    return refuseOAuth('invalid_request', 'The client authenticates in two ways. Use one.')
  const named = given.get('client_id')
  // Some clients without a secret send the header anyway.
  return named === null || named === id
    ? { id, secret: secret === '' ? null : secret, assertion: null }
    : refuseOAuth('invalid_request', 'The header and client_id name two clients.')
}

function decoded(text: string): string | null {
  return /%(?![0-9A-Fa-f]{2})/.test(text)
    ? null
    : (new URLSearchParams(`text=${text.replaceAll('&', '%26')}`).get('text') ?? null)
}
