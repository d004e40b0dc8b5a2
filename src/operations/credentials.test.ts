import { describe, expect, test } from 'vitest'
import { useWorkspace, useWorld } from '../../test/use-world.ts'
import { accepted, PUBLIC_URL } from '../../test/world.ts'
import { createApiKey } from '../commands/api-keys/create-api-key.ts'
import { HOUR_MS, MINUTE_MS, plus } from '../kernel/clock.ts'
import { newId } from '../kernel/ids.ts'
import { CATALOGUE } from './catalogue.ts'
import type { Operation } from './definition.ts'

// Who may do what with which credential is asked in every-credential.test.ts, of every operation.
const world = useWorld()
const acme = useWorkspace(world, 'Acme')

const WHERE = `Bearer resource_metadata="${PUBLIC_URL}/.well-known/oauth-protected-resource/mcp"`

test('who shows no credential is told where to sign in', async () => {
  const { status, body, headers } = await world.api('GET', '/v1/whoami')
  expect([status, body.error.code, body.error.message]).toEqual([401, 'unauthorized', 'Missing or invalid credentials'])
  expect(headers.get('www-authenticate')).toBe(WHERE)
  expect(body.error.requestId).toBe(headers.get('x-request-id'))
})

test('who shows a bad one is told so besides', async () => {
  const { status, body, headers } = await world.api('GET', '/v1/whoami', undefined, { key: 'nonsense' })
  expect([status, body.error.code, body.error.message]).toEqual([
    401,
    'unauthorized',
    'Invalid API key or access token',
  ])
  expect(headers.get('www-authenticate')).toBe(
    `${WHERE}, error="invalid_token", error_description="Invalid API key or access token"`,
  )
})

test('a key that was good is refused from the request after its revocation, and from the instant of its end', async () => {
  const soon = plus(world.clock.now(), HOUR_MS)
  const ending = accepted(await createApiKey(acme, { name: 'Ending', scope: 'write', expiresAt: soon }))
  const ended = accepted(await createApiKey(acme, { name: 'Ended', scope: 'write', expiresAt: null }))
  const statusWith = async (key: string) => (await acme.api('GET', '/v1/whoami', undefined, { key })).status
  expect([await statusWith(ending.key), await statusWith(ended.key)]).toEqual([200, 200])
  expect((await acme.api('DELETE', `/v1/api-keys/${ended.id}`)).status).toBe(204)
  expect(await statusWith(ended.key)).toBe(401)
  await world.clock.advance(HOUR_MS - 1)
  expect(await statusWith(ending.key)).toBe(200)
  await world.clock.advance(1)
  expect(await statusWith(ending.key)).toBe(401)
})

describe.each(CATALOGUE.filter(({ access }) => access === 'read'))('$method $path', (operation) => {
  test('answers HEAD as it answers GET, without a body', async () => {
    const { status, headers } = await acme.api('GET', pathOf(operation), undefined, { key: acme.readKey })
    expect(Number(headers.get('x-ratelimit-limit'))).toBe(600)
    const head = await acme.api('HEAD', pathOf(operation), undefined, { key: acme.readKey })
    expect([head.status, head.body]).toEqual([status, null])
    expect((await world.api('HEAD', pathOf(operation))).status).toBe(401)
  })
})

describe.each(CATALOGUE.filter(({ access }) => access === 'open'))('$method $path', (operation) => {
  test('needs no credential and does not mind a bad one', async () => {
    expect((await world.api(operation.method, pathOf(operation))).status).toBe(operation.status)
    expect((await world.api(operation.method, pathOf(operation), undefined, { key: 'nonsense' })).status).toBe(
      operation.status,
    )
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
  expect(
    (await world.api('GET', '/v1/whoami', undefined, { headers: { authorization: `bearer ${acme.readKey}` } })).status,
  ).toBe(200)
})

test('use is noted at once and then at most once a minute', async () => {
  const { id, key } = accepted(await createApiKey(acme, { name: 'Watched', scope: 'read', expiresAt: null }))
  const lastUsed = async () =>
    (await acme.api('GET', '/v1/api-keys')).body.data.find((listed: { id: string }) => listed.id === id).lastUsedAt
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
