import { beforeAll, describe, expect, test } from 'vitest'
import type { Browser } from '../../../test/browser.ts'
import { createPerson, type Person } from '../../../test/people.ts'
import { changeSessions, removeMembership } from '../../../test/rows.ts'
import { useResource } from '../../../test/use-world.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { createHouse } from './house.suite.ts'

let acme: Uuid
let person: Person
let browser: Browser
const house = useResource(createHouse)
beforeAll(async () => {
  acme = await house.workspace('Acme')
  person = await createPerson(house.services, acme, 'owner')
  browser = house.browser({ session: person.sessionSecret })
  await browser.open('/account')
})

const SITE = 'https://earshot.test'
/** Asks with the cookie and exactly these headers. */
async function ask(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  cookie = `__Host-earshot_session=${person.sessionSecret}`,
) {
  const reply = await fetch(house.origin + path, {
    method,
    headers: { cookie, ...(method === 'POST' ? { 'content-type': 'application/json' } : {}), ...headers },
    ...(method === 'POST' ? { body: JSON.stringify({ name: `Group ${Math.random()}` }) } : {}),
  })
  return {
    status: reply.status,
    headers: reply.headers,
    message: ((await reply.json()) as { error?: { message: string } }).error?.message ?? null,
  }
}
const token = () => browser.view.document.querySelector('input[name=form_token]').value as string

describe('a request to the interface with the cookie of a session', () => {
  test('is made by the person, in the workspace that they chose', async () => {
    const whoami = (await (await browser.fetch('/v1/whoami')).json()) as {
      workspace: { name: string }
      auth: { kind: string; scope: string }
      user: { email: string }
    }
    expect(whoami).toMatchObject({
      workspace: { name: 'Acme' },
      auth: { kind: 'session', scope: 'write' },
      user: { email: person.email },
    })
    expect((await browser.fetch('/v1/groups', { method: 'POST', body: { name: 'Made by hand' } })).status).toBe(201)
  })

  test.each<[string, string, Record<string, string>, number]>([
    ['a page of ours', 'GET', { 'sec-fetch-site': 'same-origin' }, 200],
    ['another site', 'GET', { 'sec-fetch-site': 'cross-site' }, 401],
    ['a neighbour below the same domain', 'GET', { 'sec-fetch-site': 'same-site' }, 401],
    ['the address bar', 'GET', { 'sec-fetch-site': 'none' }, 401],
    ['another site that calls itself ours', 'GET', { 'sec-fetch-site': 'cross-site', origin: SITE }, 401],
    ['an old browser', 'GET', {}, 200],
    ['an old browser on a page of ours', 'GET', { origin: SITE }, 200],
    ['an old browser on another site', 'GET', { origin: 'https://evil.example' }, 401],
    ['an old browser in a sandbox', 'GET', { origin: 'null' }, 401],
    ['an old browser that says nothing of where it is', 'POST', {}, 401],
    ['another site', 'POST', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, 401],
    ['an old browser on another site', 'POST', { origin: 'https://evil.example' }, 401],
    ['an old browser on a page of ours', 'POST', { origin: SITE }, 201],
    ['a page of ours', 'POST', { 'sec-fetch-site': 'same-origin', origin: SITE }, 201],
  ])('from %s by %s is answered as it should be', async (_, method, headers, status) => {
    expect((await ask(method, '/v1/groups', { 'x-csrf-token': token(), ...headers })).status).toBe(status)
  })

  test.each([undefined, '', 'x', 'A'.repeat(43)])(
    'that changes something with the token %j is refused, and says what is missing',
    async (given) => {
      const { status, message } = await ask('POST', '/v1/groups', {
        'sec-fetch-site': 'same-origin',
        ...(given === undefined ? {} : { 'x-csrf-token': given }),
      })
      expect([status, message]).toEqual([
        401,
        'A change by session needs the form token of this browser in X-CSRF-Token.',
      ])
    },
  )

  test('that changes something with the token of another session is refused', async () => {
    const other = await createPerson(house.services, acme, 'owner')
    const cookie = `__Host-earshot_session=${other.sessionSecret}`
    expect(
      (await ask('POST', '/v1/groups', { 'sec-fetch-site': 'same-origin', 'x-csrf-token': token() }, cookie)).status,
    ).toBe(401)
  })

  test('counts for nothing beside a credential that was sent, good or bad', async () => {
    const { status, message } = await ask('GET', '/v1/whoami', {
      'sec-fetch-site': 'same-origin',
      authorization: 'Bearer ref_wrong',
    })
    expect([status, message]).toEqual([401, 'Invalid API key or access token'])
    expect(
      (await ask('GET', '/v1/whoami', { 'sec-fetch-site': 'cross-site', authorization: `Bearer ${person.token}` }))
        .status,
    ).toBe(200)
  })

  test('of a person without a chosen workspace is told to choose one', async () => {
    const other = await createPerson(house.services, acme, 'member')
    await changeSessions(house.services, { userId: other.userId }, { workspaceId: null })
    const { status, message } = await ask(
      'GET',
      '/v1/whoami',
      { 'sec-fetch-site': 'same-origin' },
      `__Host-earshot_session=${other.sessionSecret}`,
    )
    expect([status, message]).toEqual([401, expect.stringContaining('/workspaces')])
  })

  test('of a person who was removed, or signed out, is refused from the next one on', async () => {
    const [removed, gone] = [
      await createPerson(house.services, acme, 'member'),
      await createPerson(house.services, acme, 'member'),
    ]
    const asked = async ({ sessionSecret }: Person) =>
      (await ask('GET', '/v1/whoami', { 'sec-fetch-site': 'same-origin' }, `__Host-earshot_session=${sessionSecret}`))
        .status
    expect([await asked(removed), await asked(gone)]).toEqual([200, 200])
    await removeMembership(house.services, { workspaceId: acme, userId: removed.userId })
    const leaving = house.browser({ session: gone.sessionSecret })
    await leaving.open('/account')
    await leaving.press('Sign out')
    expect([await asked(removed), await asked(gone)]).toEqual([401, 401])
  })

  test('never lets another site read with cookies', async () => {
    for (const origin of [SITE, 'https://evil.example']) {
      const { headers } = await ask('GET', '/v1/whoami', { origin })
      expect([headers.get('access-control-allow-origin'), headers.get('access-control-allow-credentials')]).toEqual([
        '*',
        null,
      ])
    }
    const preflight = await fetch(`${house.origin}/v1/groups`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://evil.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-csrf-token',
      },
    })
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull()
    expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).not.toContain('x-csrf-token')
  })
})

test('the tool server takes no cookie', async () => {
  const reply = await browser.fetch('/mcp', {
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream', host: 'earshot.test' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_groups', arguments: {} } },
  })
  expect([reply.status, await reply.json()]).toEqual([401, { error: 'Missing or invalid credentials' }])
})
