import { expect, test } from 'vitest'
import { useResource } from '../../../test/use-world.ts'
import { PUBLIC_URL } from '../../../test/world.ts'
import { createDanceFloor } from './dance.suite.ts'

const floor = useResource(createDanceFloor)

const DOCUMENTS = [
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
  '/.well-known/oauth-authorization-server',
]

test.each(DOCUMENTS.slice(0, 2))('%s says what protects the tool server', async (path) => {
  const reply = await fetch(floor.origin + path)
  expect(reply.headers.get('content-type')).toMatch(/^application\/json/)
  expect(await reply.json()).toMatchObject({
    resource: `${PUBLIC_URL}/mcp`,
    authorization_servers: [PUBLIC_URL],
    scopes_supported: ['read', 'write'],
    bearer_methods_supported: ['header'],
  })
})

test('the authorization server says what it can do, and every endpoint that it names is there', async () => {
  const metadata = (await (await fetch(`${floor.origin}/.well-known/oauth-authorization-server`)).json()) as Record<
    string,
    string
  >
  expect(metadata).toMatchObject({
    issuer: PUBLIC_URL,
    code_challenge_methods_supported: ['S256'],
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    token_endpoint_auth_signing_alg_values_supported: ['RS256', 'ES256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  })
  for (const name of ['token', 'registration', 'revocation']) {
    const url = new URL(metadata[`${name}_endpoint`]!)
    expect([url.origin, (await fetch(floor.origin + url.pathname, { method: 'POST' })).status === 404], name).toEqual([
      PUBLIC_URL,
      false,
    ])
  }
  const { pathname } = new URL(metadata['authorization_endpoint']!)
  expect((await fetch(floor.origin + pathname)).status).toBe(400)
})

test('an installation without a way out does not promise to read documents', async () => {
  const { body } = await floor.world.api('GET', '/.well-known/oauth-authorization-server')
  expect(body.client_id_metadata_document_supported).toBe(false)
})

test('nobody is told that we are an OpenID provider', async () => {
  expect((await fetch(`${floor.origin}/.well-known/openid-configuration`)).status).toBe(404)
})

test('any web page may ask what is for programs, and none may ask for what is for people', async () => {
  const preflight = {
    method: 'OPTIONS',
    headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
  }
  for (const path of [...DOCUMENTS, '/oauth/register', '/oauth/token', '/oauth/revoke']) {
    const reply = await fetch(floor.origin + path, preflight)
    expect([reply.status, reply.headers.get('access-control-allow-origin')], path).toEqual([204, '*'])
    expect(reply.headers.get('access-control-allow-headers')).toContain('MCP-Protocol-Version')
    expect(reply.headers.get('access-control-allow-credentials')).toBeNull()
  }
  const reply = await fetch(`${floor.origin}/oauth/authorize`, preflight)
  expect(reply.headers.get('access-control-allow-origin')).toBeNull()
})

test('the REST interface and the tool server send clients to the same document', async () => {
  const { headers } = await floor.world.api('GET', '/v1/whoami')
  expect(headers.get('www-authenticate')).toContain(
    `resource_metadata="${PUBLIC_URL}/.well-known/oauth-protected-resource/mcp"`,
  )
})
