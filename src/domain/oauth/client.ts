import { cleanLine, excerpt, webAddress } from '../../kernel/text.ts'
import { type ClientKeys, clientKeysIn } from './client-keys.ts'
import { redirectUriProblem } from './redirect-uri.ts'
import { type OAuthRefusal, refuseOAuth } from './refusal.ts'

/** Clients with a secret may send it either way. */
export const AUTH_METHODS = ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'] as const
export type AuthMethod = (typeof AUTH_METHODS)[number]

export interface Client {
  /** The address of the document for a client that has one. */
  id: string
  name: string
  redirectUris: readonly string[]
  /** Not verified. */
  homeUrl: string | null
  authMethod: AuthMethod
  /** A client with `none` and keys may sign, and then its signature must be valid. */
  keys: ClientKeys | null
}

export type ClientMetadata = Omit<Client, 'id'>

export const REDIRECT_URIS_MAX = 20
export const CLIENT_NAME_MAX = 100
const HOME_URL_MAX = 500
const UNNAMED = 'A program without a name'

export interface AuthChoice {
  possible: readonly AuthMethod[]
  absent: AuthMethod
}

/**
 * RFC 7591, section 2: unknown fields are ignored, unsupported wishes get a substitute, only what cannot work is
 * refused.
 */
export function readClientMetadata(given: unknown, choice: AuthChoice): ClientMetadata | OAuthRefusal {
  if (!isRecord(given)) return refuseOAuth('invalid_client_metadata', 'The metadata must be a JSON object.')
  const { redirect_uris, client_name, client_uri, grant_types, response_types, jwks, jwks_uri } = given
  const redirectProblem = redirectsProblem(redirect_uris)
  if (redirectProblem !== null) return refuseOAuth('invalid_redirect_uri', redirectProblem)
  if (!holds(grant_types, 'authorization_code'))
    return refuseOAuth('invalid_client_metadata', 'grant_types must name authorization_code.')
  if (!holds(response_types, 'code')) return refuseOAuth('invalid_client_metadata', 'response_types must name code.')
  const authMethod = authMethodOf(given, choice)
  if (authMethod === null)
    return refuseOAuth(
      'invalid_client_metadata',
      `token_endpoint_auth_method must be one of ${choice.possible.join(', ')}.`,
    )
  const keys = authMethod === 'none' || authMethod === 'private_key_jwt' ? clientKeysIn(jwks, jwks_uri) : null
  if (authMethod === 'private_key_jwt' && keys === null)
    return refuseOAuth(
      'invalid_client_metadata',
      'private_key_jwt needs a jwks_uri with https, or a jwks with a key for RS256 or ES256.',
    )
  return {
    name: nameOf(client_name),
    redirectUris: [...new Set(redirect_uris as string[])],
    homeUrl: homeOf(client_uri),
    authMethod,
    keys,
  }
}

/**
 * A client that also lists `none` need not sign, because it chooses by our metadata. A list is common, but not in RFC
 * 7591.
 */
function authMethodOf(given: Record<string, unknown>, { possible, absent }: AuthChoice): AuthMethod | null {
  const { token_endpoint_auth_method: method, token_endpoint_auth_methods_supported: more } = given
  const named = [method, ...(Array.isArray(more) ? more : [])].filter((item) => item !== undefined && item !== null)
  if (named.length === 0) return absent
  const first = possible.find((item) => item === method)
  if (named.includes('none') && (first === undefined || first === 'private_key_jwt')) return 'none'
  return first ?? possible.find((item) => named.includes(item)) ?? null
}

function redirectsProblem(uris: unknown): string | null {
  if (
    !Array.isArray(uris) ||
    uris.length < 1 ||
    uris.length > REDIRECT_URIS_MAX ||
    !uris.every((uri) => typeof uri === 'string')
  )
    return `redirect_uris must be a list of 1 to ${REDIRECT_URIS_MAX} texts.`
  for (const [at, uri] of uris.entries()) {
    const problem = redirectUriProblem(uri)
    if (problem !== null) return `redirect_uris.${at} ${problem}.`
  }
  return null
}

/** With these a name can imitate another. */
const UNSEEN = /[\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\u115f\u1160\u3164\uffa0\u0080-\u009f]/gu

function nameOf(given: unknown): string {
  const name = typeof given === 'string' ? cleanLine(given.replace(UNSEEN, '')) : ''
  return name === '' ? UNNAMED : excerpt(name, CLIENT_NAME_MAX)
}

function homeOf(given: unknown): string | null {
  const address = typeof given === 'string' && given.length <= HOME_URL_MAX ? webAddress(given) : null
  return address !== null && address.length <= HOME_URL_MAX ? address : null
}

function holds(given: unknown, wanted: string): boolean {
  return given === undefined || given === null || (Array.isArray(given) && given.includes(wanted))
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
