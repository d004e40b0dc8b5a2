import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accepted, createWorld, PUBLIC_URL, type TestWorkspace, type World } from '../../test/world.ts'
import { createApiKey } from '../commands/api-keys/create-api-key.ts'
import { HOUR_MS, MINUTE_MS, plus } from '../kernel/clock.ts'
import { newId } from '../kernel/ids.ts'
import { CATALOGUE } from './catalogue.ts'
import type { Operation } from './definition.ts'

let world: World
let acme: TestWorkspace
let expired: string
let revoked: string
beforeAll(async () => {
  world = await createWorld()
  acme = await world.workspace('Acme')
  const ending = accepted(await createApiKey(acme, { name: 'Ending', scope: 'write', expiresAt: plus(world.clock.now(), HOUR_MS) }))
  expired = ending.key
  await world.clock.advance(HOUR_MS)
  const ended = accepted(await createApiKey(acme, { name: 'Ended', scope: 'write', expiresAt: null }))
  revoked = ended.key
  expect((await acme.api('GET', '/v1/whoami', undefined, { key: revoked })).status).toBe(200)
  expect((await acme.api('DELETE', `/v1/api-keys/${ended.id}`)).status).toBe(204)
})
afterAll(() => world.close())

const GUARDED = CATALOGUE.filter(({ access }) => access !== 'open')
const WHERE = `Bearer resource_metadata="${PUBLIC_URL}/.well-known/oauth-protected-resource"`

describe.each(GUARDED)('$method $path', (operation) => {
  test('asks for a credential and says where to sign in', async () => {
    const { status, body, headers } = await world.api(operation.method, pathOf(operation))
    expect([status, body.error.code, body.error.message]).toEqual([401, 'unauthorized', 'Missing or invalid credentials'])
    expect(headers.get('www-authenticate')).toBe(WHERE)
    expect(body.error.requestId).toBe(headers.get('x-request-id'))
  })

  test.each([
    ['unknown', () => `ref_${randomBytes(32).toString('base64url')}`],
    ['shortened', () => acme.writeKey.slice(0, -1)],
    ['expired', () => expired],
    ['revoked', () => revoked],
  ])('refuses a key that is %s', async (_, key) => {
    const { status, body, headers } = await world.api(operation.method, pathOf(operation), undefined, { key: key() })
    expect([status, body.error.code, body.error.message]).toEqual([401, 'unauthorized', 'Invalid API key or access token'])
    expect(headers.get('www-authenticate')).toMatch(/^Bearer resource_metadata="[^"]+", error="invalid_token"/)
  })

  if (operation.access === 'write') {
    test('is closed to a key with read scope', async () => {
      const { status, body } = await acme.api(operation.method, pathOf(operation), {}, { key: acme.readKey })
      expect([status, body.error.code]).toEqual([403, 'read_only_key'])
    })
  } else {
    test('is open to a key with read scope, and so is HEAD', async () => {
      const { status, headers } = await acme.api('GET', pathOf(operation), undefined, { key: acme.readKey })
      expect([401, 403]).not.toContain(status)
      expect(Number(headers.get('x-ratelimit-limit'))).toBe(600)
      const head = await acme.api('HEAD', pathOf(operation), undefined, { key: acme.readKey })
      expect([head.status, head.body]).toEqual([status, null])
    })
  }
})

describe.each(CATALOGUE.filter(({ access }) => access === 'open'))('$method $path', (operation) => {
  test('needs no credential and does not mind a bad one', async () => {
    expect((await world.api(operation.method, pathOf(operation))).status).toBe(operation.status)
    expect((await world.api(operation.method, pathOf(operation), undefined, { key: revoked })).status).toBe(operation.status)
  })
})

test.each([
  ['Basic YTpi', 'Invalid API key or access token'],
  ['Bearer', 'Missing or invalid credentials'],
  ['Bearer  ', 'Missing or invalid credentials'],
  ['Bearer a b', 'Invalid API key or access token'],
  [`ref_${'x'.repeat(43)}`, 'Invalid API key or access token'],
])('the header %j is refused with %j', async (authorization, message) => {
  const { status, body } = await world.api('GET', '/v1/whoami', undefined, { headers: { authorization } })
  expect([status, body.error.message]).toEqual([401, message])
})

test('a good key without its scheme, or under another, is refused', async () => {
  for (const authorization of [acme.readKey, `Token ${acme.readKey}`, `Basic ${acme.readKey}`]) {
    const { status, body } = await world.api('GET', '/v1/whoami', undefined, { headers: { authorization } })
    expect([status, body.error.message]).toEqual([401, 'Invalid API key or access token'])
  }
})

test('the scheme of the credential is read without regard to letter case', async () => {
  expect((await world.api('GET', '/v1/whoami', undefined, { headers: { authorization: `bearer ${acme.readKey}` } })).status).toBe(200)
})

test('use is noted at once and then at most once a minute', async () => {
  const { id, key } = accepted(await createApiKey(acme, { name: 'Watched', scope: 'read', expiresAt: null }))
  const lastUsed = async () => (await acme.api('GET', '/v1/api-keys')).body.data.find((listed: { id: string }) => listed.id === id).lastUsedAt
  const use = () => acme.api('GET', '/v1/whoami', undefined, { key })
  expect(await lastUsed()).toBeNull()
  const first = world.clock.now().toISOString()
  await use()
  expect(await lastUsed()).toBe(first)
  await world.clock.advance(MINUTE_MS - 1)
  await use()
  expect(await lastUsed()).toBe(first)
  await world.clock.advance(1)
  await use()
  expect(await lastUsed()).toBe(world.clock.now().toISOString())
})

test('no log line holds a credential', async () => {
  await acme.api('GET', '/v1/whoami')
  await acme.api('POST', '/v1/api-keys', { name: 'Logged' })
  const lines = JSON.stringify(world.logged)
  expect(lines).toContain(acme.orgId)
  expect(lines).not.toMatch(/ref_[A-Za-z0-9_-]{20}/)
})

function pathOf(operation: Operation): string {
  return operation.path.replace(/\{\w+\}/g, newId('req', world.clock.now()))
}
