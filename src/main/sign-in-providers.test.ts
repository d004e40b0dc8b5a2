import { MockAgent } from 'undici'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../kernel/clock.ts'
import { silentLog } from '../kernel/log.ts'
import { VERSION } from '../kernel/version.ts'
import type { Installation } from './installation.ts'
import { readSettings } from './settings.ts'
import { signInProvidersOf } from './sign-in-providers.ts'

/** Stands in for the guarded door: nothing goes out, and what is not expected fails. */
let mockAgent: MockAgent
beforeEach(() => {
  mockAgent = new MockAgent()
  mockAgent.disableNetConnect()
})
afterEach(() => mockAgent.close())

const GOOGLE = { GOOGLE_CLIENT_ID: 'google-app', GOOGLE_CLIENT_SECRET: 'google-secret' }
const GITHUB = { GITHUB_CLIENT_ID: 'github-app', GITHUB_CLIENT_SECRET: 'github-secret' }
const providersWith = (environment: Record<string, string>) => {
  const settings = readSettings(environment, { projectDir: '/srv/earshot', version: VERSION })
  return signInProvidersOf({
    settings,
    services: { clock: systemClock },
    egress: { dispatcher: mockAgent },
    log: silentLog,
  } as unknown as Installation)
}

test.each([
  [{}, []],
  [GOOGLE, ['google']],
  [GITHUB, ['github']],
  [{ ...GITHUB, ...GOOGLE }, ['google', 'github']],
])('with %j people may sign in through %j', (environment, names) => {
  expect(providersWith(environment).map(({ name }) => name)).toEqual(names)
})

describe.each([
  ['google', 'https://accounts.google.com', 'https://oauth2.googleapis.com', '/token'],
  ['github', 'https://github.com', 'https://github.com', '/login/oauth/access_token'],
])('%s', (name, site, asked, path) => {
  const redirectUri = `https://earshot.test/sign-in/${name}/callback`
  const provider = () => providersWith({ ...GOOGLE, ...GITHUB }).find((provider) => provider.name === name)!

  test('is gone to as our app there, at its real address', async () => {
    const url = new URL((await provider().start(redirectUri)).url)
    expect([url.origin, url.searchParams.get('client_id'), url.searchParams.get('redirect_uri')]).toEqual([
      site,
      `${name}-app`,
      redirectUri,
    ])
  })

  test('is asked with the secret of its own app, through the guarded door, under our name', async () => {
    const heard: { body: URLSearchParams; agent: unknown }[] = []
    mockAgent
      .get(asked)
      .intercept({ path, method: 'POST' })
      .reply(503, ({ body, headers }) => {
        heard.push({
          body: new URLSearchParams(String(body)),
          agent: (headers as Record<string, string>)['user-agent'],
        })
        return ''
      })
    const { url, memory } = await provider().start(redirectUri)
    const callback = new URL(`${redirectUri}?code=c&state=${new URL(url).searchParams.get('state')}`)
    expect(await provider().finish(callback, memory, redirectUri)).toBe('refused')
    expect(heard.map(({ body, agent }) => [body.get('client_id'), body.get('client_secret'), agent])).toEqual([
      [`${name}-app`, `${name}-secret`, `earshot/${VERSION}`],
    ])
  })
})
