import * as oauth from 'oauth4webapi'
import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, systemClock } from '../../src/kernel/clock.ts'
import { callOf, OLDER } from '../../src/surfaces/mcp/calling.suite.ts'
import { useResource } from '../use-world.ts'
import { createOAuthWorld, type OAuthWorld } from './oauth-world.ts'

/** The library reaches the service as every other client here does. */
const options = { [oauth.customFetch]: (url: string, init: object) => ground.fetch(url, init) }
const ground = useResource(createOAuthWorld)

const REDIRECT_URI = 'http://127.0.0.1:33418/callback'
const TOOL_SERVER = 'https://earshot.test/mcp'

/** What a client knows once it was shown the way by the tool server. */
interface Found {
  as: oauth.AuthorizationServer
  resource: string
  scope: string
}

/** From a call without a credential to the authorization server, by nothing but what the answers say. */
async function discover(tool = 'list_groups'): Promise<Found> {
  const refused = await callTool(tool, null)
  expect(refused.status).toBe(401)
  const { resourceMetadata, scope } = challengeOf(refused)
  // The address in the challenge is the one at which a client looks that only knows the address of the tool server.
  const described = await oauth.resourceDiscoveryRequest(new URL(TOOL_SERVER), options)
  expect(ground.asked.at(-1)).toBe(resourceMetadata)
  const resource = await oauth.processResourceDiscoveryResponse(new URL(TOOL_SERVER), described)
  expect(resource.authorization_servers).toHaveLength(1)
  const issuer = new URL(resource.authorization_servers![0]!)
  const metadata = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...options })
  return { as: await oauth.processDiscoveryResponse(issuer, metadata), resource: resource.resource, scope }
}

function challengeOf(reply: Response): { resourceMetadata: string; scope: string; error: string | undefined } {
  const challenges = reply.headers.get('www-authenticate')!
  const value = (name: string) => challenges.match(new RegExp(`[ ,]${name}="([^"]*)"`))?.[1]
  expect(challenges).toMatch(/^Bearer /)
  return { resourceMetadata: value('resource_metadata')!, scope: value('scope')!, error: value('error') }
}

function callTool(name: string, token: string | null, args: object = {}): Promise<Response> {
  const headers = {
    ...OLDER,
    'content-type': 'application/json',
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
  }
  return ground.fetch(TOOL_SERVER, { method: 'POST', headers, body: JSON.stringify(callOf(name, args)) })
}

async function register({ as }: Found, metadata: Partial<oauth.Client> = {}): Promise<oauth.Client> {
  const wanted = {
    client_name: 'Strict client',
    redirect_uris: [REDIRECT_URI],
    token_endpoint_auth_method: 'none',
    ...metadata,
  }
  return oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(as, wanted, options),
  )
}

/** Where a client sends the person, and what it has to remember until they are back. */
async function requestFor(
  { as, resource, scope }: Found,
  client: oauth.Client,
): Promise<{ asked: URL; verifier: string; state: string }> {
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const asked = new URL(as.authorization_endpoint!)
  asked.search = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: REDIRECT_URI,
    scope,
    resource,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString()
  return { asked, verifier, state }
}

/** Sends the person away and takes what comes back, as RFC 9207 and RFC 6749 want it judged. */
async function authorize(found: Found, client: oauth.Client, decide: OAuthWorld['allow'] = ground.allow) {
  const { asked, verifier, state } = await requestFor(found, client)
  const callback = await decide(asked)
  expect(callback.href.startsWith(`${REDIRECT_URI}?`)).toBe(true)
  return { parameters: oauth.validateAuthResponse(found.as, client, callback, state), verifier }
}

async function exchange(
  found: Found,
  client: oauth.Client,
  authentication: oauth.ClientAuth,
): Promise<oauth.TokenEndpointResponse> {
  const { parameters, verifier } = await authorize(found, client)
  const request = { ...options, additionalParameters: { resource: found.resource } }
  const reply = await oauth.authorizationCodeGrantRequest(
    found.as,
    client,
    authentication,
    parameters,
    REDIRECT_URI,
    verifier,
    request,
  )
  return oauth.processAuthorizationCodeResponse(found.as, client, reply)
}

async function refresh(
  { as, resource }: Found,
  client: oauth.Client,
  authentication: oauth.ClientAuth,
  token: string,
): Promise<oauth.TokenEndpointResponse> {
  const request = { ...options, additionalParameters: { resource } }
  return oauth.processRefreshTokenResponse(
    as,
    client,
    await oauth.refreshTokenGrantRequest(as, client, authentication, token, request),
  )
}

describe('a client that keeps to the letter of the standards and knows nothing but the address of the tool server', () => {
  test('finds the way, is allowed, calls, renews and gives back what it got', async () => {
    const found = await discover()
    expect(found).toMatchObject({ resource: TOOL_SERVER, scope: 'read' })
    const client = await register(found)
    expect(client).not.toHaveProperty('client_secret')

    const tokens = await exchange(found, client, oauth.None())
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'read' })
    expect((await callTool('list_groups', tokens.access_token)).status).toBe(200)

    ground.world.clock.advance(HOUR_MS + 1)
    const late = await callTool('list_groups', tokens.access_token)
    expect([late.status, challengeOf(late).error]).toEqual([401, 'invalid_token'])
    const renewed = await refresh(found, client, oauth.None(), tokens.refresh_token!)
    expect(renewed.refresh_token).not.toBe(tokens.refresh_token)
    expect((await callTool('list_groups', renewed.access_token)).status).toBe(200)

    await oauth.processRevocationResponse(
      await oauth.revocationRequest(found.as, client, oauth.None(), renewed.refresh_token!, options),
    )
    expect((await callTool('list_groups', renewed.access_token)).status).toBe(401)
    await expect(refresh(found, client, oauth.None(), renewed.refresh_token!)).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })

  test.each([
    ['client_secret_basic', oauth.ClientSecretBasic],
    ['client_secret_post', oauth.ClientSecretPost],
  ] as const)('shows the secret that it was given by %s', async (method, authenticationBy) => {
    const found = await discover('create_group')
    expect(found.scope).toBe('read write')
    const client = await register(found, { token_endpoint_auth_method: method })
    const authentication = authenticationBy(client['client_secret'] as string)
    const tokens = await exchange(found, client, authentication)
    expect(tokens.scope).toBe('read write')
    const made = await callTool('create_group', tokens.access_token, { name: `By ${method}` })
    expect(await made.json()).toMatchObject({ result: { structuredContent: { name: `By ${method}` } } })
    expect(await refresh(found, client, authentication, tokens.refresh_token!)).toMatchObject({ scope: 'read write' })
  })

  test.each(['ES256', 'RS256'])('signs with %s that it is itself', async (algorithm) => {
    const { privateKey, publicKey } = await oauth.generateKeyPair(algorithm, { extractable: true })
    const found = await discover()
    expect(found.as.token_endpoint_auth_methods_supported).toContain('private_key_jwt')
    expect(found.as['token_endpoint_auth_signing_alg_values_supported']).toContain(algorithm)
    const client = { client_id: `https://signing.example/${algorithm}.json` }
    ground.publish(client.client_id, {
      ...client,
      redirect_uris: [REDIRECT_URI],
      token_endpoint_auth_method: 'private_key_jwt',
      jwks_uri: 'https://signing.example/keys.json',
    })
    ground.publish('https://signing.example/keys.json', {
      keys: [{ ...(await crypto.subtle.exportKey('jwk', publicKey)), kid: 'one' }],
    })
    // The library signs by the clock of the machine.
    const byOurClock = {
      [oauth.clockSkew]: Math.round((ground.world.clock.now().getTime() - systemClock.now().getTime()) / 1000),
    }
    const signing = { ...client, ...byOurClock }
    const authentication = oauth.PrivateKeyJwt({ key: privateKey, kid: 'one' })
    const tokens = await exchange(found, signing, authentication)
    expect((await callTool('list_groups', tokens.access_token)).status).toBe(200)
    expect(await refresh(found, signing, authentication, tokens.refresh_token!)).toMatchObject({ scope: 'read' })
    await expect(exchange(found, client, oauth.None())).rejects.toMatchObject({ error: 'invalid_client' })
    ground.world.clock.advance(DAY_MS)
  })

  test('cannot do without its secret', async () => {
    const found = await discover()
    const client = await register(found, { token_endpoint_auth_method: 'client_secret_basic' })
    await expect(exchange(found, client, oauth.None())).rejects.toMatchObject({ error: 'invalid_client' })
  })

  test('needs no registration when its id is the address of a document that describes it', async () => {
    const found = await discover()
    expect(found.as['client_id_metadata_document_supported']).toBe(true)
    const client = { client_id: 'https://client.example/oauth/client.json' }
    ground.publish(client.client_id, {
      ...client,
      client_name: 'Strict client',
      redirect_uris: [REDIRECT_URI],
      token_endpoint_auth_method: 'none',
    })
    const tokens = await exchange(found, client, oauth.None())
    expect((await callTool('list_groups', tokens.access_token)).status).toBe(200)
  })

  test('learns of a person who says no, and from whom', async () => {
    const found = await discover()
    const client = await register(found)
    await expect(authorize(found, client, ground.deny)).rejects.toMatchObject({ error: 'access_denied' })
  })

  test('reads in every answer who gives it, a refusal too, so that the answer of another server cannot pass for ours', async () => {
    const found = await discover()
    expect(found.as.authorization_response_iss_parameter_supported).toBe(true)
    const client = await register(found)
    for (const decide of [ground.allow, ground.deny]) {
      const { asked } = await requestFor(found, client)
      expect((await decide(asked)).searchParams.getAll('iss')).toEqual([found.as.issuer])
    }
  })

  test('gets nothing for a code with the verifier of another', async () => {
    const found = await discover()
    const client = await register(found)
    const { parameters } = await authorize(found, client)
    const other = oauth.generateRandomCodeVerifier()
    const reply = await oauth.authorizationCodeGrantRequest(
      found.as,
      client,
      oauth.None(),
      parameters,
      REDIRECT_URI,
      other,
      options,
    )
    await expect(oauth.processAuthorizationCodeResponse(found.as, client, reply)).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })
})
