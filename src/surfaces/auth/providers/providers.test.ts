import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createTestClock } from '../../../../test/clock.ts'
import {
  createSignInProviders,
  type FaultyReply,
  type SignInProviders,
} from '../../../../test/stand-ins/sign-in-providers.ts'
import { until } from '../../../../test/until.ts'
import { useResource } from '../../../../test/use-world.ts'
import { createEgress } from '../../../kernel/egress.ts'
import { createLog } from '../../../kernel/log.ts'
import { createGitHub } from './github.ts'
import { createGoogle } from './google.ts'
import type { SignInProvider } from './provider.ts'

const clock = createTestClock()
const lines: string[] = []
const log = createLog('debug', { write: (line: string) => void lines.push(line) })
const egress = createEgress({ allow: ['127.0.0.1'] })

let usual: Partial<SignInProviders>
const standIns = useResource(() => createSignInProviders(clock))
beforeAll(() => {
  usual = { person: standIns.person, claims: standIns.claims, signature: 'right', emails: null }
})
afterEach(() => {
  Object.assign(standIns, usual)
  standIns.faults.clear()
  standIns.requests.length = 0
  lines.length = 0
})
afterAll(() => egress.close())

type Name = SignInProvider['name']
const redirectUri = (name: Name) => `https://earshot.test/sign-in/${name}/callback`

function provider(name: Name, item = egress): SignInProvider {
  const options = { app: standIns.app, egress: item, clock, log, userAgent: 'earshot/test', address: standIns.address }
  return name === 'google' ? createGoogle(options) : createGitHub(options)
}

/** Signs somebody in who agrees, with the answer on its way back changed as a test says. */
async function signIn(name: Name, change: (callback: URL) => void = () => undefined) {
  const signInProvider = provider(name)
  const { url, memory } = await signInProvider.start(redirectUri(name))
  const callback = await standIns.approve(url)
  change(callback)
  return signInProvider.finish(callback, memory, redirectUri(name))
}

const told = () => lines.map((line) => (JSON.parse(line) as { reason: string }).reason)

describe.each(['google', 'github'] as const)('%s', (name) => {
  test('says who somebody is', async () => {
    const profile = {
      provider: name,
      subject: '4711',
      email: 'Ann@person.example',
      emailVerified: true,
      name: 'Ann Example',
    }
    expect(await signIn(name)).toEqual(profile)
    expect(lines).toEqual([])
  })

  test('sends browsers to its own address, with what ties the answer to them, each time another', async () => {
    const real = name === 'google' ? createGoogle : createGitHub
    const provider = real({ app: standIns.app, egress, clock, log, userAgent: 'earshot/test' })
    const [first, second] = [await provider.start(redirectUri(name)), await provider.start(redirectUri(name))]
    const url = new URL(first.url)
    expect(`${url.origin}${url.pathname}`).toBe(
      name === 'google' ? 'https://accounts.google.com/o/oauth2/v2/auth' : 'https://github.com/login/oauth/authorize',
    )
    const other = new URL(second.url)
    for (const parameter of ['state', 'nonce', 'code_challenge'])
      expect(url.searchParams.get(parameter)).not.toBe(other.searchParams.get(parameter))
    expect(first.url).not.toContain(standIns.app.secret)
    expect(first.url).not.toContain((JSON.parse(first.memory) as { verifier: string }).verifier)
  })

  test('does not vouch for an address that it has not seen to be theirs', async () => {
    standIns.person = { ...standIns.person, verified: false }
    expect(await signIn(name)).toMatchObject({ email: 'Ann@person.example', emailVerified: false })
  })

  test.each([
    ['no state', (callback: URL) => callback.searchParams.delete('state')],
    ['another state', (callback: URL) => callback.searchParams.set('state', 'x'.repeat(43))],
    ['two states', (callback: URL) => callback.searchParams.append('state', 'x'.repeat(43))],
    ['no code', (callback: URL) => callback.searchParams.delete('code')],
    ['the name of another provider', (callback: URL) => callback.searchParams.set('iss', 'https://evil.example')],
    ['a code that was never given', (callback: URL) => callback.searchParams.set('code', 'made-up')],
  ])('signs nobody in when the answer comes with %s', async (_what, change) => {
    expect(await signIn(name, change)).toBe('refused')
  })

  test('signs nobody in for an answer that belongs to another browser', async () => {
    const signInProvider = provider(name)
    const [own, foreign] = [
      await signInProvider.start(redirectUri(name)),
      await signInProvider.start(redirectUri(name)),
    ]
    expect(await signInProvider.finish(await standIns.approve(foreign.url), own.memory, redirectUri(name))).toBe(
      'refused',
    )
    expect(standIns.requests.filter(({ asked }) => asked.startsWith('POST'))).toEqual([])
  })

  test('signs nobody in with a code that somebody else was given, even under the right state', async () => {
    const signInProvider = provider(name)
    const [own, stolen] = [await signInProvider.start(redirectUri(name)), await signInProvider.start(redirectUri(name))]
    const callback = await standIns.approve(own.url)
    callback.searchParams.set('code', (await standIns.approve(stolen.url)).searchParams.get('code')!)
    expect(await signInProvider.finish(callback, own.memory, redirectUri(name))).toBe('refused')
  })

  test('takes an answer once', async () => {
    const signInProvider = provider(name)
    const { url, memory } = await signInProvider.start(redirectUri(name))
    const callback = await standIns.approve(url)
    expect(await signInProvider.finish(callback, memory, redirectUri(name))).toMatchObject({ subject: '4711' })
    expect(await signInProvider.finish(callback, memory, redirectUri(name))).toBe('refused')
  })

  test('signs nobody in who does not want to, which is no trouble', async () => {
    const signInProvider = provider(name)
    const { url, memory } = await signInProvider.start(redirectUri(name))
    expect(await signInProvider.finish(await standIns.deny(url), memory, redirectUri(name))).toBe('refused')
    expect(lines.map((line) => (JSON.parse(line) as { level: string }).level)).toEqual(['info'])
  })

  test('is asked through the guarded door, which leads to no private network', async () => {
    const closed = createEgress({ allow: [] })
    const signInProvider = provider(name, closed)
    const { url, memory } = await signInProvider.start(redirectUri(name))
    expect(await signInProvider.finish(await standIns.approve(url), memory, redirectUri(name))).toBe('refused')
    expect(told()).toEqual(['the host has an address that is not public'])
    expect(standIns.requests.filter(({ asked }) => asked.startsWith('POST'))).toEqual([])
    await closed.close()
  })

  test('is not told the secrets of anybody in the log', async () => {
    standIns.claims = (claims) => ({ ...claims, aud: 'another-app' })
    standIns.faults.set('/user', { body: '<html>secret-page' })
    expect(await signIn(name)).toBe('refused')
    expect(lines).toHaveLength(1)
    for (const secret of [standIns.app.secret, 'eyJ', 'secret-page', 'Ann']) expect(lines[0]).not.toContain(secret)
  })

  const paths =
    name === 'google' ? ['/token', '/oauth2/v3/certs'] : ['/login/oauth/access_token', '/user', '/user/emails']
  const page = '<!doctype html><title>Down</title>'
  const faults: readonly (readonly [string, FaultyReply])[] = [
    ['is down', { status: 503, headers: { 'content-type': 'text/html' }, body: page }],
    ['answers with a page', { headers: { 'content-type': 'text/html' }, body: page }],
    ['answers with a page that calls itself JSON', { headers: { 'content-type': 'application/json' }, body: page }],
    ['answers with other JSON', { headers: { 'content-type': 'application/json' }, body: '[1]' }],
    ['answers with nothing', { status: 204, body: '' }],
    ['leads elsewhere', { status: 302, headers: { location: 'https://evil.example/' }, body: '' }],
    [
      'answers without end',
      { headers: { 'content-type': 'application/json' }, body: `{"a":"${'x'.repeat(300_000)}"}` },
    ],
    ['cuts the connection', 'cut'],
  ]
  test.each(paths.flatMap((path) => faults.map(([what, reply]) => [path, what, reply] as const)))(
    'signs nobody in when %s %s, and says why',
    async (path, _what, reply) => {
      standIns.faults.set(path, reply)
      expect(await signIn(name)).toBe('refused')
      expect(told()).toHaveLength(1)
      expect(told()[0]).not.toBe('')
    },
  )

  test.each(paths)('is given up after ten seconds when %s does not answer', async (path) => {
    standIns.faults.set(path, 'hang')
    const signingIn = signIn(name)
    await until(() => standIns.requests.some(({ asked }) => asked.endsWith(` ${path}`)))
    await clock.advance(9999)
    expect(lines).toEqual([])
    await clock.advance(1)
    expect(await signingIn).toBe('refused')
    expect(told()).toEqual(['no complete response within 10 s'])
    expect(clock.waits).toBe(0)
  })

  test('says a name as one line that is not too long', async () => {
    standIns.person = { ...standIns.person, name: `Ann\r\n\u0000${'x'.repeat(500)}` }
    const profile = await signIn(name)
    expect(profile === 'refused' ? '' : profile.name).toMatch(/^Ann x{90,}…$/)
  })
})

describe('an address that Google calls verified', () => {
  test.each([
    ['ann@gmail.com', null, true],
    ['Ann@GoogleMail.com', null, true],
    ['ann@acme.example', 'acme.example', true],
    ['ann@acme.example', null, false],
    ['ann@gmail.com.evil.example', null, false],
    ['ann@notgmail.com', null, false],
    ['gmail.com@evil.example', null, false],
  ])('%s, hosted at %s, is theirs for certain: %s', async (email, hostedDomain, emailVerified) => {
    standIns.person = { ...standIns.person, email, hostedDomain }
    expect(await signIn('google')).toMatchObject({ subject: '4711', email, emailVerified })
  })

  test.each(['ann@gmail.com', 'ann@acme.example'])('%s without that word is not', async (email) => {
    standIns.person = { ...standIns.person, email, verified: false }
    expect(await signIn('google')).toMatchObject({ emailVerified: false })
  })
})

describe('an ID token of Google', () => {
  const seconds = () => clock.now().getTime() / 1000
  test.each([
    ['for another app', () => ({ aud: 'another-app' })],
    ['for us and others, given to another', () => ({ aud: ['earshot-app', 'another-app'], azp: 'another-app' })],
    ['of another issuer', () => ({ iss: 'https://evil.example' })],
    ['without an issuer', () => ({ iss: undefined })],
    ['for another sign-in', () => ({ nonce: 'n'.repeat(43) })],
    ['for no sign-in', () => ({ nonce: undefined })],
    ['that has expired', () => ({ exp: seconds() - 31 })],
    ['that never expires', () => ({ exp: undefined })],
    ['that is not valid yet', () => ({ nbf: seconds() + 31 })],
    ['about nobody', () => ({ sub: undefined })],
    ['about the empty name', () => ({ sub: '' })],
    ['about a number', () => ({ sub: 4711 })],
    ['with an address of another form', () => ({ email: ['ann@person.example'] })],
    ['that calls an address verified in words', () => ({ email_verified: 'true' })],
    ['with an organisation of another form', () => ({ hd: ['acme.example'] })],
  ])('%s signs nobody in', async (_what, changed) => {
    standIns.claims = (claims) => ({ ...claims, ...changed() })
    expect(await signIn('google')).toBe('refused')
  })

  test.each(['none', 'HS256', 'foreign'] as const)(
    'that is not signed by Google (%s) signs nobody in',
    async (signature) => {
      standIns.signature = signature
      expect(await signIn('google')).toBe('refused')
    },
  )

  test('may be a few seconds off, and need not tell an address or a name', async () => {
    standIns.claims = ({ email: _email, email_verified: _verified, name: _name, ...claims }) => ({
      ...claims,
      exp: seconds() - 29,
    })
    expect(await signIn('google')).toEqual({
      provider: 'google',
      subject: '4711',
      email: null,
      emailVerified: false,
      name: '',
    })
  })

  test('is judged by keys that are read once for many', async () => {
    const signInProvider = provider('google')
    for (let at = 0; at < 3; at += 1) {
      const { url, memory } = await signInProvider.start(redirectUri('google'))
      expect(await signInProvider.finish(await standIns.approve(url), memory, redirectUri('google'))).toMatchObject({
        subject: '4711',
      })
    }
    expect(standIns.requests.filter(({ asked }) => asked.includes('certs'))).toHaveLength(1)
  })
})

describe('GitHub', () => {
  test.each([
    ['no address', [], null],
    ['no primary one', [{ email: 'ann@person.example', primary: false, verified: true }], null],
    [
      'a verified one that is not the primary one',
      [
        { email: 'old@x.example', primary: false, verified: true },
        { email: 'ann@person.example', primary: true, verified: false },
      ],
      'ann@person.example',
    ],
  ])('that tells %s vouches for none', async (_what, emails, email) => {
    standIns.emails = emails
    expect(await signIn('github')).toMatchObject({ subject: '4711', email, emailVerified: false })
  })

  test('calls by their login who has no name', async () => {
    standIns.person = { ...standIns.person, name: null }
    expect(await signIn('github')).toMatchObject({ name: 'a-login' })
  })
})
