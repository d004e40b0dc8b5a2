import { hostname } from 'node:os'
import * as oauth from 'oauth4webapi'
import { canParse } from '../../kernel/can-parse.ts'
import { COMMAND } from '../../kernel/checkout.ts'
import { CommandError, EXIT } from '../kit/exit-codes.ts'
import type { OAuthProfile } from './profiles.ts'

/** For one answer of the authorization server. */
const LIMIT_MS = 30_000

/** What is known of the authorization server of an installation. */
export interface Found {
  server: oauth.AuthorizationServer
  resource: string
}

export interface Tokens {
  accessToken: string
  refreshToken: string
  expiresAt: string
}

export interface OAuthWork {
  fetch: typeof fetch
  now(): Date
}

/** Installations on this machine or a private network often have no certificate. The address was chosen by the user. */
function optionsFor({ fetch }: OAuthWork) {
  return {
    [oauth.customFetch]: (url: string, init: object) =>
      fetch(url, { ...(init as RequestInit), signal: AbortSignal.timeout(LIMIT_MS) }),
    [oauth.allowInsecureRequests]: true,
  }
}

export async function discover(url: string, work: OAuthWork): Promise<Found> {
  const resource = new URL(`${url}/mcp`)
  try {
    const options = optionsFor(work)
    const metadata = await (await oauth.resourceDiscoveryRequest(resource, options)).json()
    const { resource: named, authorization_servers: servers } = metadata as Record<string, unknown>
    const issuer = Array.isArray(servers) ? servers[0] : undefined
    if (typeof named !== 'string' || typeof issuer !== 'string') throw new TypeError('no metadata')
    // RFC 9728: tokens for what calls itself otherwise must not be asked for.
    if (!canParse(named) || new URL(named).href !== resource.href)
      throw new CommandError(
        `${url} says that its address is ${named.replace(/\/mcp$/, '')}. ` +
          'Sign in at that address, or correct PUBLIC_URL there.',
        EXIT.usage,
      )
    const answer = await oauth.discoveryRequest(new URL(issuer), { algorithm: 'oauth2', ...options })
    const server = await oauth.processDiscoveryResponse(new URL(issuer), answer)
    // A browser hands other addresses to whatever program claims them.
    const page = server.authorization_endpoint ?? ''
    if (!/^https?:\/\//i.test(page) || !canParse(page))
      throw new CommandError(`${url} has no page for signing in at an http or https address.`)
    return { server, resource: named }
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw failed(`${url} does not say how to sign in. Is it the address of an Earshot?`, error)
  }
}

export async function register({ server }: Found, redirectUri: string, work: OAuthWork): Promise<string> {
  const wanted = {
    client_name: `Earshot command line on ${hostname()}`.slice(0, 80),
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    application_type: 'native',
  }
  try {
    const answer = await oauth.dynamicClientRegistrationRequest(server, wanted, optionsFor(work))
    return (await oauth.processDynamicClientRegistrationResponse(answer)).client_id
  } catch (error) {
    throw failed('The installation does not register the command line', error)
  }
}

export interface Asked {
  address: string
  verifier: string
}

/** What the browser brings back, so that an answer to another request is told apart. */
export function newState(): string {
  return oauth.generateRandomState()
}

/** Where the person goes, and what to remember until they are back. */
export async function requestFor(
  { server, resource }: Found,
  { clientId, redirectUri, state }: { clientId: string; redirectUri: string; state: string },
): Promise<Asked> {
  const verifier = oauth.generateRandomCodeVerifier()
  const address = new URL(server.authorization_endpoint!)
  address.search = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'read write',
    resource,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString()
  return { address: address.href, verifier }
}

export async function exchange(
  found: Found,
  {
    clientId,
    redirectUri,
    callback,
    verifier,
    state,
  }: { clientId: string; redirectUri: string; callback: URL; verifier: string; state: string },
  work: OAuthWork,
): Promise<Tokens> {
  const { server, resource } = found
  const client = { client_id: clientId }
  try {
    const parameters = oauth.validateAuthResponse(server, client, callback, state)
    const options = { ...optionsFor(work), additionalParameters: { resource } }
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      parameters,
      redirectUri,
      verifier,
      options,
    )
    return tokensIn(await oauth.processAuthorizationCodeResponse(server, client, answer), work)
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError && error.error === 'access_denied')
      throw new CommandError('The sign-in was declined.', EXIT.notSignedIn)
    throw failed('The sign-in failed', error)
  }
}

export async function refresh(
  { issuer, clientId, refreshToken, resource }: OAuthProfile,
  work: OAuthWork,
): Promise<Tokens> {
  const client = { client_id: clientId }
  const server = await serverOf(issuer, work)
  try {
    const options = { ...optionsFor(work), additionalParameters: { resource } }
    const answer = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refreshToken, options)
    return tokensIn(await oauth.processRefreshTokenResponse(server, client, answer), work)
  } catch (error) {
    if (error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant')
      throw new CommandError(`The sign-in has ended. Run: ${COMMAND} login`, EXIT.notSignedIn)
    throw failed('The sign-in could not be renewed', error)
  }
}

/** Ends the grant, so that every token of it is void. */
export async function revoke({ issuer, clientId, refreshToken }: OAuthProfile, work: OAuthWork): Promise<void> {
  const server = await serverOf(issuer, work)
  try {
    const answer = await oauth.revocationRequest(
      server,
      { client_id: clientId },
      oauth.None(),
      refreshToken,
      optionsFor(work),
    )
    await oauth.processRevocationResponse(answer)
  } catch (error) {
    throw failed('The sign-in could not be ended there', error)
  }
}

async function serverOf(issuer: string, work: OAuthWork): Promise<oauth.AuthorizationServer> {
  try {
    const answer = await oauth.discoveryRequest(new URL(issuer), { algorithm: 'oauth2', ...optionsFor(work) })
    return await oauth.processDiscoveryResponse(new URL(issuer), answer)
  } catch (error) {
    throw failed(`${issuer} cannot be reached`, error)
  }
}

function tokensIn(
  { access_token, refresh_token, expires_in = 0 }: oauth.TokenEndpointResponse,
  { now }: OAuthWork,
): Tokens {
  if (refresh_token === undefined) throw new TypeError('no refresh token')
  return {
    accessToken: access_token,
    refreshToken: refresh_token,
    expiresAt: new Date(now().getTime() + expires_in * 1000).toISOString(),
  }
}

function failed(message: string, error: unknown): CommandError {
  if (error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError)
    return new CommandError(`${message} (${error.error}).`, EXIT.notSignedIn)
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const reason = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? ` (${cause.code})` : ''
  return new CommandError(`${message.replace(/[.?]$/, '')}${reason}${/\?$/.test(message) ? '?' : '.'}`, EXIT.busy)
}
