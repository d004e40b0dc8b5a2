import { toolServerUrl } from '../workspace/workspace.ts'
import type { Client } from './client.ts'
import { isRegistered } from './redirect-uri.ts'
import { type OAuthRefusal, refuseOAuth } from './refusal.ts'
import { readScope, type Scope } from './scope.ts'

export interface AuthorizationRequest {
  client: Client
  redirectUri: string
  /** Returned unchanged. */
  state: string | null
  /** PKCE, S256. */
  challenge: string
  scope: Scope
  resource: string
}

/** Shown on a page while the redirect address is not trusted. */
export type Declined = { where: 'page'; refusal: OAuthRefusal } | ({ where: 'client' } & DeclinedToClient)

/** A refusal that the client learns through the person's browser. */
export interface DeclinedToClient {
  refusal: OAuthRefusal
  redirectUri: string
  state: string | null
}

/** SHA-256 in base64url (RFC 7636, section 4.2). */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/

/** No client may be looked up for a request that names two. */
export function clientIdOf(asked: URLSearchParams): string | OAuthRefusal {
  const [id, ...more] = withValue(asked).getAll('client_id')
  if (id === undefined) return refuseOAuth('invalid_request', 'client_id is missing.')
  return more.length === 0 ? id : refuseOAuth('invalid_request', 'client_id is given twice.')
}

/** No answer is sent to an address before it is known to be the client's: else this would be an open redirector. */
export function readAuthorizationRequest(
  given: URLSearchParams,
  client: Client,
  publicUrl: string,
): AuthorizationRequest | Declined {
  const asked = withValue(given)
  const [redirectUri, ...moreUris] = asked.getAll('redirect_uri')
  if (redirectUri === undefined) return onPage('redirect_uri is missing.')
  if (moreUris.length > 0) return onPage('redirect_uri is given twice.')
  if (!isRegistered(redirectUri, client.redirectUris))
    return onPage('redirect_uri is not one that the client has registered.')

  const states = asked.getAll('state')
  const state = states.length === 1 ? states[0]! : null
  const decline = (error: OAuthRefusal['error'], description: string): Declined => ({
    where: 'client',
    refusal: refuseOAuth(error, description),
    redirectUri,
    state,
  })
  const twice = ONCE.find((name) => asked.getAll(name).length > 1)
  if (twice !== undefined) return decline('invalid_request', `${twice} is given twice.`)

  const responseType = asked.get('response_type')
  if (responseType === null) return decline('invalid_request', 'response_type is missing.')
  if (responseType !== 'code') return decline('unsupported_response_type', 'response_type must be code.')
  if ((asked.get('response_mode') ?? 'query') !== 'query')
    return decline('invalid_request', 'response_mode must be query.')

  const challenge = asked.get('code_challenge')
  if (challenge === null) return decline('invalid_request', 'code_challenge is missing: PKCE is required.')
  // RFC 7636 takes an absent method for plain, which would expose the verifier.
  if (asked.get('code_challenge_method') !== 'S256')
    return decline('invalid_request', 'code_challenge_method must be S256.')
  if (!CHALLENGE.test(challenge))
    return decline('invalid_request', 'code_challenge must be 43 characters of base64url.')

  const scope = readScope(asked.get('scope'))
  if (scope === null) return decline('invalid_scope', 'scope must be a list of names with single spaces between them.')
  if (!asked.getAll('resource').every((resource) => isOurs(resource, publicUrl)))
    return decline('invalid_target', `resource must be ${toolServerUrl(publicUrl)}.`)
  return { client, redirectUri, state, challenge, scope, resource: toolServerUrl(publicUrl) }
}

/** A parameter without a value counts as absent (RFC 6749, section 3.1). */
function withValue(asked: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...asked].filter(([, value]) => value !== ''))
}

/** Parameters allowed once; RFC 8707 allows several `resource`. */
const ONCE = ['state', 'response_type', 'response_mode', 'code_challenge', 'code_challenge_method', 'scope']

/**
 * Tool server or installation (RFC 8707), with or without a final slash; one token serves both. A query only selects
 * tools.
 */
export function isOurs(resource: string, publicUrl: string): boolean {
  const [, address] = /^([^?#]*)(?:\?[^#]*)?$/.exec(resource) ?? []
  return [toolServerUrl(publicUrl), publicUrl].some((ours) => address === ours || address === `${ours}/`)
}

function onPage(description: string): Declined {
  return { where: 'page', refusal: refuseOAuth('invalid_request', description) }
}
