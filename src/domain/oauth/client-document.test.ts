import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/clock.ts'
import { type FetchedDocument, freshMs, readClientDocument } from './client-document.ts'
import { documentAddressProblem } from './document-address.ts'
import { isOAuthRefusal } from './refusal.ts'

const reply = (more: Partial<FetchedDocument>): FetchedDocument => ({
  status: 200,
  contentType: 'application/json',
  cacheControl: null,
  ageSeconds: null,
  text: '{}',
  ...more,
})

describe('a document holds', () => {
  test.each<[string | null, number | null, number]>([
    [null, null, 5 * MINUTE_MS],
    ['max-age=0', null, 5 * MINUTE_MS],
    ['max-age=3600', null, HOUR_MS],
    ['public, Max-Age="3600", must-revalidate', null, HOUR_MS],
    ['max-age=3600', 1800, HOUR_MS / 2],
    ['max-age=3600', 999_999, 5 * MINUTE_MS],
    ['max-age=31536000', null, DAY_MS],
    ['no-store, max-age=31536000', null, 5 * MINUTE_MS],
    ['no-cache', null, 5 * MINUTE_MS],
    ['max-age=-1', null, 5 * MINUTE_MS],
    ['max-age=99999999999999999999', null, 5 * MINUTE_MS],
    ['max-age=1e9', null, 5 * MINUTE_MS],
  ])('that says %j, %j seconds old, for %i ms', (cacheControl, ageSeconds, ms) => {
    expect(freshMs(reply({ cacheControl, ageSeconds }))).toBe(ms)
  })
})

test('its media type may be any JSON, and nothing else', () => {
  const address = 'https://app.example/c.json'
  const text = JSON.stringify({ client_id: address, redirect_uris: ['https://app.example/cb'] })
  for (const contentType of ['application/json', 'Application/JSON; charset=utf-8', 'application/cimd+json'])
    expect(readClientDocument(address, reply({ contentType, text }))).toMatchObject({ id: address, authMethod: 'none' })
  for (const contentType of [null, '', 'text/html', 'text/json', 'application/jsonp', 'text/plain; application/json'])
    expect(isOAuthRefusal(readClientDocument(address, reply({ contentType, text })))).toBe(true)
})

const describing = (more: object) => {
  const client_id = 'https://app.example/c.json'
  return readClientDocument(
    client_id,
    reply({ text: JSON.stringify({ client_id, redirect_uris: ['https://app.example/cb'], ...more }) }),
  )
}
const JWKS_URI = 'https://app.example/keys.json'

describe('how a client that is described by a document shows who it is', () => {
  test.each<[string, object, string | null]>([
    ['nothing is said', {}, 'none'],
    ['null', { token_endpoint_auth_method: null }, 'none'],
    ['a signature', { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: JWKS_URI }, 'private_key_jwt'],
    [
      'a signature, or none',
      {
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
        jwks_uri: JWKS_URI,
      },
      'none',
    ],
    [
      'a way that we do not know, or none',
      { token_endpoint_auth_method: 'tls_client_auth', token_endpoint_auth_methods_supported: ['none'] },
      'none',
    ],
    [
      'a list alone',
      { token_endpoint_auth_methods_supported: ['private_key_jwt'], jwks_uri: JWKS_URI },
      'private_key_jwt',
    ],
    ['a signature without keys', { token_endpoint_auth_method: 'private_key_jwt' }, null],
    [
      'a signature with keys at an address without TLS',
      { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'http://app.example/keys.json' },
      null,
    ],
    ['a secret', { token_endpoint_auth_method: 'client_secret_post' }, null],
    ['a way that we do not know', { token_endpoint_auth_method: 'tls_client_auth' }, null],
  ])('%s', (_, more, method) => {
    const client = describing(more)
    expect(isOAuthRefusal(client) ? null : client.authMethod).toBe(method)
  })

  test('is kept with the place of its keys, so that a signature counts also where none is demanded', () => {
    expect(describing({ token_endpoint_auth_methods_supported: ['none'], jwks_uri: JWKS_URI })).toMatchObject({
      authMethod: 'none',
      keys: { address: JWKS_URI },
    })
    expect(describing({ jwks_uri: 'https://user@app.example/keys.json' })).toMatchObject({ keys: null })
  })
})

test('addresses for answers that are none are passed over while one of them is good', () => {
  const uris = [
    'http://localhost:*/cb',
    'http://lan.example/cb',
    7,
    `https://app.example/${'x'.repeat(500)}`,
    'https://app.example/cb',
  ]
  expect(describing({ redirect_uris: uris })).toMatchObject({ redirectUris: ['https://app.example/cb'] })
  expect(isOAuthRefusal(describing({ redirect_uris: uris.slice(0, -1) }))).toBe(true)
  const many = describing({ redirect_uris: Array.from({ length: 50 }, (_, at) => `https://app.example/${at}`) })
  expect(isOAuthRefusal(many) ? 0 : many.redirectUris.length).toBe(20)
})

test.each([
  ['https://app.example/c.json', null],
  ['https://app.example:8443/a/b?v=1', null],
  ['https://app.example/c.json?', null],
  ['https://app.example/%2e%2e/c.json', 'must be in its normal form'],
  ['https://app.example/./c.json', 'must be in its normal form'],
  ['https://app.example/c.json#', 'must not have a fragment'],
  ['https://a:b@app.example/c.json', 'must not hold a user name or password'],
  ['https://app.example', 'must have a path'],
  ['ftp://app.example/c.json', 'must be an https URL'],
])('%s as an id: %s', (address, problem) => {
  expect(documentAddressProblem(address)).toBe(problem)
})
