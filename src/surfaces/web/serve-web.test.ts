import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { createPerson, type Person } from '../../../test/people.ts'
import { removeMembership } from '../../../test/rows.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { chooseLanguage } from '../../commands/accounts/choose-language.ts'
import type { WebBundle } from './bundle.ts'
import { PAGE_ADDRESSES } from './page-addresses.ts'

const SCRIPT = Buffer.from(`console.log(${JSON.stringify('earshot '.repeat(100))})`)
function shellIn(language: string): string {
  return `<!doctype html>\n<html lang="${language}"><body><div id="app"></div></body></html>\n`
}

const BUNDLE: WebBundle = {
  shells: { en: shellIn('en'), de: shellIn('de') },
  preloads: { en: { '/people/:person': ['/assets/person-en.js', '/assets/person.css'] }, de: {} },
  assets: new Map([
    [
      '/assets/main-abc.js',
      { type: 'text/javascript; charset=utf-8', plain: SCRIPT, br: brotliCompressSync(SCRIPT), gzip: null },
    ],
  ]),
}

/** This installation shows no pictures, which the shell says. */
const SHELL = BUNDLE.shells.en.replace('lang="en"', 'lang="en" data-pictures="off"')

const world = useWorld({ web: BUNDLE })
const acme = useWorkspace(world, 'Acme')
let person: Person
beforeAll(async () => {
  person = await createPerson(world.services, acme.workspaceId, 'member')
})

function open(address: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(world.origin + address, { redirect: 'manual', headers })
}

function signedIn(more = ''): Record<string, string> {
  return { cookie: `__Host-earshot_session=${person.sessionSecret}${more}` }
}

describe('a page of the dashboard', () => {
  const samples = PAGE_ADDRESSES.map((address) => address.replaceAll(/:\w+/g, 'some_id'))

  test.each(samples)('%s is the shell for somebody who is signed in', async (address) => {
    const reply = await open(address, signedIn())
    expect([reply.status, await reply.text()]).toEqual([200, SHELL])
  })

  test.each(samples)('%s leads strangers to the sign-in and back', async (address) => {
    const reply = await open(`${address}?q=a%20b`)
    expect([reply.status, reply.headers.get('location')]).toEqual([
      303,
      `/sign-in?next=${encodeURIComponent(`${address}?q=a%20b`)}`,
    ])
  })

  test('leads somebody without a workspace to the choice of one', async () => {
    const leaver = await createPerson(world.services, acme.workspaceId, 'member')
    await removeMembership(world.services, { userId: leaver.userId })
    const reply = await open('/inbox?m=1', { cookie: `__Host-earshot_session=${leaver.sessionSecret}` })
    expect(reply.headers.get('location')).toBe(`/workspaces?next=${encodeURIComponent('/inbox?m=1')}`)
  })

  test('runs nothing inline and loads nothing from elsewhere', async () => {
    const { headers } = await open('/inbox', signedIn())
    const policy = headers.get('content-security-policy')!
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'")
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|data:|\*/)
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('announces what it asks for first: the session, and on the inbox the list', async () => {
    const links = async (address: string) => (await open(address, signedIn())).headers.get('link')
    expect(await links('/keywords')).toBe('</session>; rel=preload; as=fetch; crossorigin')
    expect(await links('/inbox')).toContain('</v1/mentions?status=open&relevant=true')
    // A filter makes it another list.
    expect(await links('/inbox?platforms=x')).toBe(await links('/keywords'))
  })

  test('announces its own scripts and styles, in its language', async () => {
    const links = async (headers = {}) =>
      (await open('/people/per_1?x=1', { ...signedIn(), ...headers })).headers.get('link')!.split(', ').slice(1)
    expect(await links()).toEqual([
      '</assets/person-en.js>; rel=modulepreload',
      '</assets/person.css>; rel=preload; as=style; crossorigin',
    ])
    expect(await links({ 'accept-language': 'de' })).toEqual([])
  })

  test('is asked for again each time, and sent only when it changed', async () => {
    const first = await open('/inbox', signedIn())
    expect(first.headers.get('cache-control')).toBe('no-cache')
    const again = await open('/inbox', { ...signedIn(), 'if-none-match': first.headers.get('etag')! })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  test.each(['light', 'dark'])('has the theme %s from the first byte', async (theme) => {
    const reply = await open('/inbox', signedIn(`; earshot_theme=${theme}`))
    expect(await reply.text()).toContain(`<html lang="en" data-theme="${theme}" data-pictures="off">`)
  })

  test.each([
    ['de', 'de'],
    ['de-AT,en;q=0.9', 'de'],
    ['fr,en;q=0.5,de;q=0.7', 'de'],
    ['de;q=0,en;q=0.1', 'en'],
    ['fr', 'en'],
    ['x\u00ff;;q=,*', 'en'],
  ])('for a browser that accepts %s is in the language %s', async (accepted, language) => {
    const reply = await open('/inbox', { ...signedIn(), 'accept-language': accepted })
    expect(await reply.text()).toContain(`<html lang="${language}"`)
    expect(reply.headers.get('vary')).toBe('Cookie, Accept-Language')
  })

  test('is in the language of the account, whatever the browser prefers', async () => {
    const { userId, sessionSecret } = await createPerson(world.services, acme.workspaceId, 'member')
    const headers = { cookie: `__Host-earshot_session=${sessionSecret}`, 'accept-language': 'en' }
    await chooseLanguage(world.services, userId, 'de')
    expect(await (await open('/inbox', headers)).text()).toContain('<html lang="de"')
    await chooseLanguage(world.services, userId, '')
    expect(await (await open('/inbox', headers)).text()).toContain('<html lang="en"')
  })

  test('takes no other text for a theme', async () => {
    const reply = await open('/inbox', signedIn('; earshot_theme=dark"><script>'))
    expect(await reply.text()).toBe(SHELL)
  })
})

test('a page that the list does not know is not found', async () => {
  for (const address of ['/inboxes', '/inbox/a/b', '/mentions', '/keywords/a/b/c', '/assets/', '/assets/other.js'])
    expect([address, (await open(address, signedIn())).status]).toEqual([address, 404])
})

describe('the root', () => {
  test('leads somebody who is signed in to the inbox', async () => {
    const reply = await open('/', signedIn())
    expect([reply.status, reply.headers.get('location')]).toEqual([303, '/inbox'])
  })

  test('leads everybody else to the sign-in', async () => {
    expect((await open('/')).headers.get('location')).toBe('/sign-in')
  })
})

describe('an asset', () => {
  test('may be kept for good', async () => {
    const reply = await open('/assets/main-abc.js', { 'accept-encoding': 'identity' })
    expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(reply.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(Buffer.from(await reply.arrayBuffer()).equals(SCRIPT)).toBe(true)
  })

  test.each([
    ['br, gzip', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'br'],
    ['gzip, br;q=0', null],
    ['identity', null],
  ])('for a browser that takes %s is sent as %s', async (accepted, encoding) => {
    const reply = await world.server.inject({ url: '/assets/main-abc.js', headers: { 'accept-encoding': accepted } })
    expect(reply.headers['content-encoding'] ?? null).toBe(encoding)
    const plain = encoding === null ? reply.rawPayload : brotliDecompressSync(reply.rawPayload)
    expect(plain.equals(SCRIPT)).toBe(true)
  })
})
