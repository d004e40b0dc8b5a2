import { toolServerUrl } from '../workspace/workspace.ts'
import type { Client } from './client.ts'
import { isRegistered } from './redirect-uri.ts'
import { type OAuthRefusal, refuseOAuth } from './refusal.ts'
import { readScope, type Scope } from './scope.ts'

/** What a client asks a person for, checked. */
export interface AuthorizationRequest {
  client: Client
  redirectUri: string
  /** Goes back to the client as it came; null when it sent none. */
  state: string | null
  /** The S256 challenge of PKCE. */
  challenge: string
  scope: Scope
  /** The audience of the tokens. */
  resource: string
}

/** An answer that is no code: on a page, because nobody knows yet where else it may go, or at the client. */
export type Declined =
  | { where: 'page'; refusal: OAuthRefusal }
  | { where: 'client'; refusal: OAuthRefusal; redirectUri: string; state: string | null }

/** A SHA-256 in base64url (RFC 7636, section 4.2). */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/

/** The id of the client that a request names. Nothing may be looked up for one that names two. */
export function clientIdOf(asked: URLSearchParams): string | OAuthRefusal {
  const [id, ...more] = withValue(asked).getAll('client_id')
  if (id === undefined) return refuseOAuth('invalid_request', 'client_id is missing.')
  return more.length === 0 ? id : refuseOAuth('invalid_request', 'client_id is given twice.')
}

/**
 * Checks a request in order. As long as the address for answers is not known to belong to the client, nothing is sent
 * there: else this endpoint would lead people wherever somebody likes.
 */
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
  // RFC 7636 takes an absent method for plain, which would show the verifier to whoever sees this request.
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

/** Parameters that a request may hold once. Of `resource` RFC 8707 allows several. */
const ONCE = ['state', 'response_type', 'response_mode', 'code_challenge', 'code_challenge_method', 'scope']

/**
 * Whether tokens can be made for a resource (RFC 8707). Clients name the tool server, with or without a slash at the
 * end, or the whole installation; one token serves both. They name the address that they were given, and that may have
 * a query, which picks tools and nothing that a token would depend on.
 */
export function isOurs(resource: string, publicUrl: string): boolean {
  const [, address] = /^([^?#]*)(?:\?[^#]*)?$/.exec(resource) ?? []
  return [toolServerUrl(publicUrl), publicUrl].some((ours) => address === ours || address === `${ours}/`)
}

function onPage(description: string): Declined {
  return { where: 'page', refusal: refuseOAuth('invalid_request', description) }
}
