import { beforeEach, describe, expect, test } from 'vitest'
import { changeSessions } from '../../../test/rows.ts'
import { useResource } from '../../../test/use-world.ts'
import { HOUR_MS } from '../../kernel/clock.ts'
import { sql } from '../../store/database.ts'
import { addressFor, answerIn, createDanceFloor, exchangeOf, REDIRECT_URI, type TokenAnswer } from './dance.suite.ts'

const floor = useResource(createDanceFloor)
beforeEach(() => floor.world.clock.advance(HOUR_MS))

async function register(metadata: unknown, headers: Record<string, string> = {}): Promise<TokenAnswer> {
  const reply = await fetch(`${floor.origin}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof metadata === 'string' ? metadata : JSON.stringify(metadata),
  })
  return { status: reply.status, headers: reply.headers, body: await reply.json() }
}

test('a client is told what it may do, and its secret once', async () => {
  const { status, headers, body } = await register({
    client_name: ' Robot ',
    redirect_uris: [REDIRECT_URI, REDIRECT_URI],
    contacts: ['x'],
    jwks: {},
  })
  expect([status, headers.get('cache-control'), headers.get('access-control-allow-origin')]).toEqual([
    201,
    'no-store',
    '*',
  ])
  expect(body).toEqual({
    client_id: expect.any(String),
    client_id_issued_at: floor.world.clock.now().getTime() / 1000,
    client_secret: expect.stringMatching(/^ecs_[\w-]{43}$/),
    client_secret_expires_at: 0,
    client_name: 'Robot',
    redirect_uris: [REDIRECT_URI],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'client_secret_basic',
    scope: 'read write',
  })
  const row = JSON.stringify(
    await floor.world.db.query(sql`select to_jsonb(c) from oauth_client c where id = ${body.client_id}`),
  )
  expect(row).not.toContain(body.client_secret)
})

test('a client that keeps no secret gets none, and can go all the way', async () => {
  const { body } = await register({
    redirect_uris: [REDIRECT_URI],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
  })
  expect(body).not.toHaveProperty('client_secret')
  const browser = floor.browser()
  await changeSessions(floor.world, {}, { expiresAt: new Date('2100-01-01') })
  await browser.open(addressFor({ id: body.client_id }))
  const { code } = answerIn(await browser.press('Allow', { Workspace: 'Acme' }))
  expect((await floor.post('/oauth/token', exchangeOf({ id: body.client_id }, code!))).status).toBe(200)
})

test.each<[object, object]>([
  [{ client_name: '' }, { client_name: 'A program without a name' }],
  [{ client_name: null }, { client_name: 'A program without a name' }],
  [{ client_name: 7 }, { client_name: 'A program without a name' }],
  [{ client_name: '\u202e\u200b' }, { client_name: 'A program without a name' }],
  [{ client_name: 'x'.repeat(101) }, { client_name: `${'x'.repeat(99)}…` }],
  [{ client_name: `${'😀'.repeat(101)}` }, { client_name: `${'😀'.repeat(99)}…` }],
  [{ grant_types: null, response_types: null }, { grant_types: ['authorization_code', 'refresh_token'] }],
  [{ token_endpoint_auth_method: null }, { token_endpoint_auth_method: 'client_secret_basic' }],
  [
    { token_endpoint_auth_method: 'private_key_jwt', token_endpoint_auth_methods_supported: ['none'] },
    { token_endpoint_auth_method: 'none' },
  ],
  [
    { redirect_uris: Array.from({ length: 20 }, (_, at) => `http://127.0.0.1:${3000 + at}/cb`) },
    { redirect_uris: expect.objectContaining({ length: 20 }) },
  ],
  [
    { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://a.example/keys.json' },
    { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://a.example/keys.json' },
  ],
])('%j is taken as %j', async (metadata, taken) => {
  const { status, body } = await register({ redirect_uris: [REDIRECT_URI], ...metadata })
  expect(status).toBe(201)
  expect(body).toMatchObject(taken)
})

describe('is refused', () => {
  const uri = (item: unknown) => ({ redirect_uris: [item] })
  const good = { redirect_uris: [REDIRECT_URI] }
  test.each<[string, unknown]>([
    ['invalid_client_metadata', 'nonsense'],
    ['invalid_client_metadata', []],
    ['invalid_client_metadata', null],
    ['invalid_redirect_uri', {}],
    ['invalid_redirect_uri', { redirect_uris: [] }],
    ['invalid_redirect_uri', { redirect_uris: REDIRECT_URI }],
    ['invalid_redirect_uri', { redirect_uris: Array.from({ length: 21 }, (_, at) => `https://a.example/${at}`) }],
    ['invalid_redirect_uri', uri(`https://a.example/${'x'.repeat(500)}`)],
    ['invalid_redirect_uri', uri(7)],
    ['invalid_redirect_uri', uri('javascript:alert(1)')],
    ['invalid_redirect_uri', uri('http://client.example/callback')],
    ['invalid_redirect_uri', { redirect_uris: [REDIRECT_URI, 'data:text/html,x'] }],
    ['invalid_client_metadata', { ...good, token_endpoint_auth_method: 'private_key_jwt' }],
    [
      'invalid_client_metadata',
      { ...good, token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'http://a.example/keys.json' },
    ],
    [
      'invalid_client_metadata',
      { ...good, token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [{ kty: 'oct', k: 'x' }] } },
    ],
    ['invalid_client_metadata', { ...good, token_endpoint_auth_method: 'tls_client_auth' }],
    ['invalid_client_metadata', { ...good, grant_types: ['client_credentials'] }],
    ['invalid_client_metadata', { ...good, response_types: ['token'] }],
  ])('as %s: %j', async (error, metadata) => {
    const { status, body } = await register(metadata)
    expect([status, body.error]).toEqual([400, typeof metadata === 'string' ? 'invalid_request' : error])
    expect(body.error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
  })
})

test('names that are nothing but markup or tricks are shown as they are, or without the tricks', async () => {
  const name = '"><img src=x onerror=alert(1)>\u202e\u0000\n evil'
  const { body } = await register({
    redirect_uris: [REDIRECT_URI],
    client_name: name,
    client_uri: 'javascript:alert(1)',
    token_endpoint_auth_method: 'none',
  })
  expect([body.client_name, body.client_uri]).toEqual(['"><img src=x onerror=alert(1)> evil', undefined])
  await changeSessions(floor.world, {}, { expiresAt: new Date('2100-01-01') })
  const page = await floor.browser().open(addressFor({ id: body.client_id }))
  expect(page.text).toContain(body.client_name)
  expect(page.document.querySelector('img')).toBeNull()
})

test('twenty an hour are taken from one address', async () => {
  const statuses: number[] = []
  for (let at = 0; at < 22; at += 1) statuses.push((await register({ redirect_uris: [REDIRECT_URI] })).status)
  expect(statuses).toEqual([...Array(20).fill(201), 429, 429])
  const refused = await register({ redirect_uris: [REDIRECT_URI] })
  expect([
    refused.body.error,
    refused.headers.get('x-ratelimit-limit'),
    refused.headers.get('x-ratelimit-remaining'),
  ]).toEqual(['rate_limited', '20', '0'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60)
  await floor.world.clock.advance(HOUR_MS)
  expect((await register({ redirect_uris: [REDIRECT_URI] })).status).toBe(201)
})
