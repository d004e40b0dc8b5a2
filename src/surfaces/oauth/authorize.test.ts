import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createPerson } from '../../../test/people.ts'
import { changeSessions, makeMembership, removeMembership } from '../../../test/rows.ts'
import { useResource } from '../../../test/use-world.ts'
import type { RegisteredClient } from '../../commands/oauth/register-client.ts'
import { CODE_MS } from '../../domain/oauth/lifetimes.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/clock.ts'
import { toId } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import { addressFor, answerIn, createDanceFloor, exchangeOf, REDIRECT_URI } from './dance.suite.ts'

let client: RegisteredClient
const floor = useResource(createDanceFloor)
beforeAll(async () => {
  client = await floor.client()
})
beforeEach(() => floor.world.clock.advance(MINUTE_MS))

const grants = async () => (await floor.world.db.query(sql`select 1 from oauth_grant`)).length

describe('what nobody but the person can be told', () => {
  const hostile: [string, Record<string, string | null>][] = [
    ['no client', { client_id: null }],
    ['a client that nobody knows', { client_id: '01a2b3c4-0000-7000-8000-000000000000' }],
    ['a client id with a character that no text of the database holds', { client_id: 'a\u0000' }],
    ['a client id that is not ASCII', { client_id: 'clïent' }],
    ['a client id that is a script', { client_id: '<script>alert(1)</script>' }],
    ['no address for the answer', { redirect_uri: null }],
    ['another host', { redirect_uri: 'https://evil.example/callback' }],
    ['a longer path', { redirect_uri: `${REDIRECT_URI}/more` }],
    ['a path that leads up', { redirect_uri: `${REDIRECT_URI}/../evil` }],
    ['an added query', { redirect_uri: `${REDIRECT_URI}?x=1` }],
    ['a fragment', { redirect_uri: `${REDIRECT_URI}#x` }],
    ['a port', { redirect_uri: 'https://client.example:8443/callback' }],
    ['the usual port, written out', { redirect_uri: 'https://client.example:443/callback' }],
    ['other letter case in the path', { redirect_uri: 'https://client.example/Callback' }],
    ['other letter case in the host', { redirect_uri: 'https://CLIENT.example/callback' }],
    ['a user name', { redirect_uri: 'https://client.example@evil.example/callback' }],
    ['an escaped letter', { redirect_uri: 'https://client.example/%63allback' }],
    ['a host that begins as the right one', { redirect_uri: 'https://client.example.evil.example/callback' }],
    ['http for https', { redirect_uri: 'http://client.example/callback' }],
    ['a script', { redirect_uri: 'javascript:alert(1)//https://client.example/callback' }],
    ['white space around', { redirect_uri: ` ${REDIRECT_URI}` }],
    ['a line break', { redirect_uri: `${REDIRECT_URI}\r\nX: 1` }],
    ['a backslash', { redirect_uri: 'https://client.example\\callback' }],
  ]

  test.each(hostile)('%s is answered with a page and leads nowhere', async (_, more) => {
    const before = await grants()
    for (const who of [floor.person, null]) {
      const view = await floor.browser(who).open(addressFor(client, more))
      expect([view.status, view.leftFor, view.heading]).toEqual([400, null, 'This request is not valid'])
      expect(view.document.querySelectorAll('script, form')).toHaveLength(0)
    }
    const browser = floor.browser()
    await browser.open(addressFor(client))
    const fields = Object.fromEntries(new URL(addressFor(client, more), floor.origin).searchParams)
    const view = await browser.post('/oauth/authorize', {
      ...fields,
      decision: 'allow',
      access: 'read',
      workspace: floor.acme.orgId,
    })
    expect([view.status, view.headers.get('location')]).toEqual([400, null])
    expect(await grants()).toBe(before)
  })

  test('a parameter that decides where the answer goes must not be there twice', async () => {
    for (const name of ['client_id', 'redirect_uri']) {
      const more = new URLSearchParams({ [name]: name === 'client_id' ? client.id : REDIRECT_URI })
      const view = await floor.browser().open(`${addressFor(client)}&${more}`)
      expect([view.status, view.leftFor, view.heading]).toEqual([400, null, 'This request is not valid'])
    }
  })
})

describe('what the client is told', () => {
  const declined: [string, string, Record<string, string | null>][] = [
    ['no response type', 'invalid_request', { response_type: null }],
    ['tokens at once', 'unsupported_response_type', { response_type: 'token' }],
    ['an answer in the fragment', 'invalid_request', { response_mode: 'fragment' }],
    ['no challenge', 'invalid_request', { code_challenge: null }],
    ['no method, which would mean plain', 'invalid_request', { code_challenge_method: null }],
    ['the plain method', 'invalid_request', { code_challenge_method: 'plain' }],
    ['a challenge that is too short', 'invalid_request', { code_challenge: 'abc' }],
    ['a scope that is no list', 'invalid_scope', { scope: 'read  write' }],
    ['a foreign resource', 'invalid_target', { resource: 'https://elsewhere.example/mcp' }],
    ['a resource that only begins as ours', 'invalid_target', { resource: 'https://earshot.test.evil.example/mcp' }],
    ['a resource that ends as ours', 'invalid_target', { resource: 'https://evil.example/?https://earshot.test/mcp' }],
    ['a resource with a fragment', 'invalid_target', { resource: 'https://earshot.test/mcp?x#y' }],
  ]

  test.each(declined)(
    '%s: %s, with state and issuer, once somebody is signed in who allows it something',
    async (_, error, more) => {
      const client = await floor.client()
      // Anybody may register a client: before that a mistake made on purpose would turn a link to us into one to any
      // place.
      const before = await floor.browser(null).open(addressFor(client, more))
      expect([before.leftFor, new URL(before.address).pathname]).toEqual([null, '/sign-in'])
      const next = new URL(before.address).searchParams.get('next')!
      // Nor does it lead away who has never allowed it anything.
      const strange = await floor.browser().open(next)
      expect([strange.leftFor, strange.status, strange.heading]).toEqual([null, 400, 'This request is not valid'])
      await floor.code(client)
      const view = await floor.browser().open(next)
      expect(view.leftFor!.startsWith(`${REDIRECT_URI}?`)).toBe(true)
      expect(answerIn(view)).toMatchObject({ error, state: 'st&te=1', iss: 'https://earshot.test' })
      expect(answerIn(view)['error_description']).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
      expect(answerIn(view)).not.toHaveProperty('code')
    },
  )

  test.each(['https://evil.example/login', 'zoommtg://join', 'http://127.0.0.1:1/x'])(
    'nothing at %s for who is not signed in',
    async (redirectUri) => {
      const own = await floor.client({ redirectUris: [redirectUri] })
      for (const more of [
        { response_type: null },
        { response_type: 'token' },
        { code_challenge: null },
        { scope: ' ' },
        { resource: 'x' },
      ]) {
        const view = await floor.browser(null).open(addressFor(own, { redirect_uri: redirectUri, ...more }))
        expect([view.leftFor, new URL(view.address).pathname]).toEqual([null, '/sign-in'])
      }
    },
  )

  test('a parameter that is there twice', async () => {
    await floor.code(client)
    for (const name of ['state', 'scope', 'code_challenge', 'code_challenge_method', 'response_type']) {
      const view = await floor.browser().open(`${addressFor(client)}&${name}=read`)
      expect(answerIn(view), name).toMatchObject({ error: 'invalid_request' })
    }
  })

  test('one foreign resource beside ours', async () => {
    await floor.code(client)
    const view = await floor.browser().open(`${addressFor(client)}&resource=https%3A%2F%2Felsewhere.example`)
    expect(answerIn(view)['error']).toBe('invalid_target')
  })

  test('nothing bad for scopes of other servers, which ask for reading, and for our address with a choice of tools', async () => {
    for (const scope of ['openid email profile', 'claudeai']) {
      const { body } = await floor.tokens(client, { scope, resource: 'https://earshot.test/mcp?tools=core' })
      expect(body.scope).toBe('read')
    }
  })

  test('that the person does not allow it', async () => {
    const before = await grants()
    const browser = floor.browser()
    await browser.open(addressFor(client))
    const view = await browser.press('Do not allow')
    expect(answerIn(view)).toMatchObject({ error: 'access_denied', state: 'st&te=1', iss: 'https://earshot.test' })
    expect(await grants()).toBe(before)
  })
})

describe('a person', () => {
  test('who is not signed in signs in first, and comes back to the same request', async () => {
    const browser = floor.browser(null)
    const view = await browser.open(addressFor(client))
    expect(new URL(view.address).pathname).toBe('/sign-in')
    const next = new URL(view.address).searchParams.get('next')!
    expect(Object.fromEntries(new URL(next, floor.origin).searchParams)).toEqual(
      Object.fromEntries(new URL(addressFor(client), floor.origin).searchParams),
    )
    expect((await floor.browser().open(next)).heading).toBe('Allow access?')
  })

  test('whose session ended while the page was open signs in first, and nothing is allowed', async () => {
    const visitor = await createPerson(floor.world.services, floor.acme.workspaceId, 'member')
    const browser = floor.browser(visitor)
    await browser.open(addressFor(client))
    await floor.world.db.query(sql`delete from user_session where user_id = ${visitor.userId}`)
    const before = await grants()
    const view = await browser.press('Allow', { Workspace: 'Acme' })
    expect([new URL(view.address).pathname, await grants()]).toEqual(['/sign-in', before])
  })

  test('sees who asks, where the answer goes, and may allow less than was asked for', async () => {
    const named = await floor.client({ name: 'Robot & <b>Sons</b>', homeUrl: 'https://home.example/about' })
    const browser = floor.browser()
    const page = await browser.open(addressFor(named))
    for (const words of ['Robot & <b>Sons</b>', 'home.example', 'client.example', floor.person.email])
      expect(page.text).toContain(words)
    expect(page.document.querySelector('main b')).toBeNull()
    expect(page.document.querySelector('input[name=access][value=write]').checked).toBe(true)
    const view = await browser.press('Allow', { Workspace: 'Acme', Access: 'Read only' })
    expect(answerIn(view)).toMatchObject({ state: 'st&te=1', iss: 'https://earshot.test' })
    const { body } = await floor.post('/oauth/token', exchangeOf(named, answerIn(view)['code']!))
    expect(body.scope).toBe('read')
  })

  test('is asked anew every time, however often they have allowed it', async () => {
    await floor.code(client)
    const view = await floor.browser().open(addressFor(client))
    expect([view.status, view.leftFor, view.heading]).toEqual([200, null, 'Allow access?'])
  })

  test('is not offered to let a client change things that asked to read', async () => {
    const browser = floor.browser()
    const page = await browser.open(addressFor(client, { scope: null }))
    expect(page.document.querySelector('input[name=access][value=write]')).toBeNull()
    const fields = Object.fromEntries(new URL(addressFor(client, { scope: 'read' }), floor.origin).searchParams)
    const forced = await browser.post('/oauth/authorize', {
      ...fields,
      decision: 'allow',
      access: 'write',
      workspace: floor.acme.orgId,
    })
    expect([forced.status, forced.headers.get('location')]).toEqual([400, null])
  })

  test('gives access to a workspace of their own only', async () => {
    const stranger = await floor.world.workspace('Stranger')
    const browser = floor.browser()
    const page = await browser.open(addressFor(client))
    expect(page.text).not.toContain('Stranger')
    const fields = Object.fromEntries(new URL(addressFor(client), floor.origin).searchParams)
    const before = await grants()
    for (const workspace of [stranger.orgId, floor.acme.orgId.replace('org_', 'grp_'), 'nonsense', '']) {
      const view = await browser.post('/oauth/authorize', { ...fields, decision: 'allow', access: 'read', workspace })
      expect([view.status, view.text.includes('Choose a workspace.')]).toEqual([400, true])
    }
    expect(await grants()).toBe(before)
  })

  test('with several workspaces chooses one of them, and the tokens are for that', async () => {
    const second = await floor.world.workspace('Bravo "&" Söhne')
    const joined = { role: 'member', at: floor.world.clock.now() } as const
    await makeMembership(floor.world, second.workspaceId, floor.person.userId, joined)
    const browser = floor.browser()
    await browser.open(addressFor(client))
    const view = await browser.press('Allow', { Workspace: 'Bravo "&" Söhne' })
    const { body } = await floor.post('/oauth/token', exchangeOf(client, answerIn(view)['code']!))
    const whoami = await fetch(`${floor.origin}/v1/whoami`, {
      headers: { authorization: `Bearer ${body.access_token}` },
    })
    expect(((await whoami.json()) as { workspace: { id: string } }).workspace.id).toBe(toId('org', second.workspaceId))
    await removeMembership(floor.world, { workspaceId: second.workspaceId, userId: floor.person.userId })
  })

  test('who belongs to no workspace is told so and can still say no', async () => {
    const lonely = await createPerson(floor.world.services, floor.acme.workspaceId, 'member')
    await removeMembership(floor.world, { workspaceId: floor.acme.workspaceId, userId: lonely.userId })
    const browser = floor.browser(lonely)
    expect((await browser.open(addressFor(client))).text).toContain('You have no workspace yet.')
    expect(browser.view.document.querySelector('button[value=allow]')).toBeNull()
    expect(answerIn(await browser.press('Do not allow'))['error']).toBe('access_denied')
  })

  test('is warned where any program on the computer could take the answer', async () => {
    for (const redirectUri of ['http://127.0.0.1:33418/', 'http://[::1]/callback', 'cursor://anysphere.cursor/oauth']) {
      const local = await floor.client({ redirectUris: [redirectUri] })
      const page = await floor.browser().open(addressFor(local, { redirect_uri: redirectUri }))
      expect(page.text).toContain('Any program on this computer could be asking.')
    }
  })
})

describe('the form', () => {
  test('is not taken from another site, without its token, or with that of another browser', async () => {
    const fields = {
      ...Object.fromEntries(new URL(addressFor(client), floor.origin).searchParams),
      decision: 'allow',
      access: 'read',
      workspace: floor.acme.orgId,
    }
    const other = floor.browser(await createPerson(floor.world.services, floor.acme.workspaceId, 'member'))
    const foreignToken = (await other.open(addressFor(client))).document.querySelector('input[name=form_token]')
      .value as string
    const browser = floor.browser()
    await browser.open(addressFor(client))
    const before = await grants()
    for (const [more, headers] of [
      [{ form_token: '' }, {}],
      [{ form_token: foreignToken }, {}],
      [{}, { origin: 'https://evil.example' }],
      [{}, { origin: 'null' }],
      [{}, { 'sec-fetch-site': 'cross-site' }],
    ] as const) {
      const view = await browser.post('/oauth/authorize', { ...fields, ...more }, headers)
      expect([view.status, view.headers.get('location')]).toEqual([403, null])
    }
    expect(await grants()).toBe(before)
  })

  test.each([
    'https://client.example/callback',
    'http://127.0.0.1:33418/x',
    'http://localhost/x',
    'http://[::1]:8080/x',
    'cursor://a.b/c',
    'com.example.app:/cb',
  ])('may lead to %s, and the page can be framed and kept by nobody', async (redirectUri) => {
    const own = await floor.client({ redirectUris: [redirectUri] })
    const browser = floor.browser()
    const { headers } = await browser.open(addressFor(own, { redirect_uri: redirectUri }))
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*frame-ancestors 'none'/)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('access-control-allow-origin')).toBeNull()
    const { leftFor } = await browser.press('Allow', { Workspace: 'Acme' })
    expect(leftFor!.startsWith(`${redirectUri}?code=eac_`)).toBe(true)
  })

  test('is answered twenty times a minute by one person, and then nothing is allowed', async () => {
    await floor.world.clock.advance(MINUTE_MS)
    const visitor = await createPerson(floor.world.services, floor.acme.workspaceId, 'member')
    const browser = floor.browser(visitor)
    const fields = {
      ...Object.fromEntries(new URL(addressFor(client), floor.origin).searchParams),
      access: 'read',
      workspace: floor.acme.orgId,
    }
    await browser.open(addressFor(client))
    for (let at = 0; at < 20; at += 1)
      expect((await browser.post('/oauth/authorize', { ...fields, decision: 'deny' })).status).toBe(303)
    const before = await grants()
    const view = await browser.post('/oauth/authorize', { ...fields, decision: 'allow' })
    expect([
      view.status,
      view.headers.get('location'),
      Number(view.headers.get('retry-after')) > 0,
      await grants(),
    ]).toEqual([429, null, true, before])
    const others = floor.browser()
    await others.open(addressFor(client))
    expect(answerIn(await others.press('Allow', { Workspace: 'Acme' }))).toHaveProperty('code')
  })

  test('decides nothing without a decision', async () => {
    const browser = floor.browser()
    await browser.open(addressFor(client))
    const fields = Object.fromEntries(new URL(addressFor(client), floor.origin).searchParams)
    const view = await browser.post('/oauth/authorize', { ...fields, access: 'read', workspace: floor.acme.orgId })
    expect([view.status, view.headers.get('location')]).toEqual([400, null])
  })
})

test('a query of the address for answers stays, and so does any port on this machine', async () => {
  const own = await floor.client({ redirectUris: ['https://client.example/cb?tenant=a%20b', 'http://127.0.0.1/cb'] })
  const browser = floor.browser()
  await browser.open(addressFor(own, { redirect_uri: 'https://client.example/cb?tenant=a%20b' }))
  expect((await browser.press('Allow', { Workspace: 'Acme' })).leftFor).toMatch(
    /^https:\/\/client\.example\/cb\?tenant=a%20b&code=eac_/,
  )
  for (const port of ['1', '49152', '65535']) {
    await browser.open(addressFor(own, { redirect_uri: `http://127.0.0.1:${port}/cb` }))
    expect((await browser.press('Allow', { Workspace: 'Acme' })).leftFor).toMatch(
      `http://127.0.0.1:${port}/cb?code=eac_`,
    )
  }
  for (const redirectUri of [
    'http://localhost:1/cb',
    'http://127.0.0.1:1/cb/',
    'http://127.0.0.2:1/cb',
    'http://127.0.0.1:65536/cb',
    'http://127.0.0.1:1@evil.example/cb',
  ])
    expect((await browser.open(addressFor(own, { redirect_uri: redirectUri }))).status, redirectUri).toBe(400)
})

test('a code that was not fetched in its time gives nothing, and neither does one whose person has left', async () => {
  const late = await floor.code(client)
  await floor.world.clock.advance(CODE_MS)
  expect((await floor.post('/oauth/token', exchangeOf(client, late))).body.error).toBe('invalid_grant')

  const visitor = await createPerson(floor.world.services, floor.acme.workspaceId, 'member')
  const browser = floor.browser(visitor)
  await browser.open(addressFor(client))
  const { code } = answerIn(await browser.press('Allow', { Workspace: 'Acme' }))
  await removeMembership(floor.world, { workspaceId: floor.acme.workspaceId, userId: visitor.userId })
  expect((await floor.post('/oauth/token', exchangeOf(client, code!))).body.error).toBe('invalid_grant')
})

describe('a client that is described by a document', () => {
  const address = 'https://app.example/oauth/client.json'
  const document = {
    client_id: address,
    client_name: 'App',
    redirect_uris: ['https://app.example/cb', 'http://127.0.0.1/cb'],
    token_endpoint_auth_method: 'none',
  }
  const asked = (id: string, redirectUri = 'https://app.example/cb') =>
    addressFor({ id }, { redirect_uri: redirectUri })
  const publish = (at: string, what: unknown, more: object = {}) =>
    floor.documents.set(at, { text: JSON.stringify(what), ...more })
  beforeEach(() => {
    floor.documents.clear()
    floor.read.length = 0
  })

  test('is asked about and gets its tokens without being registered', async () => {
    publish(address, document)
    const { status, body } = await floor.tokens({ id: address }, { redirect_uri: 'https://app.example/cb' })
    expect([status, await floor.statusOf(body.access_token)]).toEqual([200, 200])
    const page = await floor.browser().open(asked(address))
    expect(page.text).toContain('It is described by app.example.')
    expect(page.text).not.toContain('Any program on this computer')
    expect((await floor.browser().open(asked(address, 'http://127.0.0.1:99/cb'))).text).toContain(
      'Any program on this computer could be asking.',
    )
  })

  test('is read for nobody who is not signed in', async () => {
    const elsewhere = 'https://victim.example/client.json'
    const view = await floor.browser(null).open(asked(elsewhere))
    expect([new URL(view.address).pathname, floor.read]).toEqual(['/sign-in', []])
  })

  test('is read again when its time is over, and is not believed when it is gone by then', async () => {
    const own = 'https://fresh.example/client.json'
    publish(own, { ...document, client_id: own }, { cacheControl: 'public, max-age=3600' })
    await floor.browser().open(asked(own))
    await floor.world.clock.advance(HOUR_MS - 1)
    expect((await floor.browser().open(asked(own))).status).toBe(200)
    expect(floor.read).toEqual([own])
    floor.documents.clear()
    await floor.world.clock.advance(1)
    expect((await floor.browser().open(asked(own))).status).toBe(400)
    publish(own, { ...document, client_id: own, redirect_uris: ['https://moved.example/cb'] })
    expect((await floor.browser().open(asked(own))).status).toBe(400)
    expect((await floor.browser().open(asked(own, 'https://moved.example/cb'))).status).toBe(200)
  })

  test.each<[string, unknown, object]>([
    ['names another id', { ...document, client_id: 'https://app.example/other.json' }, {}],
    ['is not there', document, { status: 404 }],
    ['is a redirect', document, { status: 302 }],
    ['is a page', document, { contentType: 'text/html' }],
    ['holds a secret', { ...document, client_secret: 'x' }, {}],
    ['wants a secret', { ...document, token_endpoint_auth_method: 'client_secret_basic' }, {}],
    ['has a script for an address', { ...document, redirect_uris: ['javascript:alert(1)'] }, {}],
    ['is a list', [document], {}],
    ['is nothing', null, {}],
  ])('is not believed when its document %s, and nothing of it is kept', async (name, what, more) => {
    const own = `https://bad.example/${name.replaceAll(' ', '-')}.json`
    publish(
      own,
      typeof what === 'object' && what !== null && !Array.isArray(what) && name !== 'names another id'
        ? { ...what, client_id: own }
        : what,
      more,
    )
    const view = await floor.browser().open(asked(own))
    expect([view.status, view.leftFor, floor.read]).toEqual([400, null, [own]])
    expect(await floor.world.db.query(sql`select 1 from oauth_client where id = ${own}`)).toEqual([])
  })

  test.each([
    'https://app.example',
    'https://app.example/',
    'https://app.example/?x',
    'https://user@app.example/c.json',
    'https://app.example/c.json#x',
    'https://app.example/a/../c.json',
    'https://APP.example/c.json',
    'https://app.example:443/c.json',
    'https:\\\\app.example/c.json',
    'https://app.example/ c.json',
    `https://app.example/${'x'.repeat(500)}`,
    'http://app.example/c.json',
  ])('is not looked for at %s', async (id) => {
    const view = await floor.browser().open(asked(id))
    expect([view.status, floor.read]).toEqual([400, []])
  })

  test('cannot have us knock at doors without end', async () => {
    const browser = floor.browser()
    for (let at = 0; at < 30; at += 1) await browser.open(asked(`https://door-${at}.example/c.json`))
    expect(floor.read).toHaveLength(20)
  })
})

test('a client that is not used for long is forgotten only when it holds nothing', async () => {
  const { forgetClients } = await import('../../commands/oauth/forget-clients.ts')
  const [idle, used] = [await floor.client(), await floor.client()]
  await floor.code(used)
  await floor.world.clock.advance(91 * DAY_MS)
  await changeSessions(floor.world, {}, { expiresAt: new Date('2100-01-01') })
  expect(await forgetClients(floor.world.services)).toBeGreaterThan(0)
  expect((await floor.browser().open(addressFor(idle))).status).toBe(400)
  expect((await floor.browser().open(addressFor(used))).status).toBe(200)
})
