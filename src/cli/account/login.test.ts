import { existsSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createOAuthWorld } from '../../../test/oauth/oauth-world.ts'
import { useResource } from '../../../test/use-world.ts'
import { PUBLIC_URL } from '../../../test/world.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS, systemClock } from '../../kernel/clock.ts'
import { type Ran, type RunOptions, run, temporaryConfig } from '../running.suite.ts'
import { CredentialStore, type Credentials, type OAuthProfile } from './profiles.ts'

const ground = useResource(createOAuthWorld)
let config: ReturnType<typeof temporaryConfig>
beforeEach(() => {
  config = temporaryConfig()
})
afterEach(() => {
  vi.restoreAllMocks()
  config.close()
})

function earshot(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return run(args, { env: config.env, fetch: ground.fetch, now: () => ground.world.clock.now(), ...options })
}

/** The browser of a person, who allows or denies, and is led back to the command. */
function browserThat(decide: (address: URL) => Promise<URL>) {
  return async (address: string) => {
    void decide(new URL(address)).then((callback) => fetch(callback))
    return true
  }
}

const signIn = (...more: string[]) =>
  earshot(['login', PUBLIC_URL, ...more], { openBrowser: browserThat(ground.allow) })
const stored = (): Credentials =>
  JSON.parse(readFileSync(join(config.env['EARSHOT_CONFIG_DIR']!, 'credentials.json'), 'utf8'))

describe('a sign-in in the browser', () => {
  test('lets commands act for the person, and is stored for them alone', async () => {
    const signedIn = await signIn()
    expect(signedIn).toMatchObject({
      code: 0,
      out: '',
      err: expect.stringContaining(`Signed in to Acme at ${PUBLIC_URL}`),
    })
    const file = new CredentialStore(config.env).file
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(config.env['EARSHOT_CONFIG_DIR']!).mode & 0o777).toBe(0o700)
    const me = await earshot(['whoami'])
    expect(me.out).toMatch(/person +Ada <ada@acme\.example>\ncredential +sign-in, write scope/)
  })

  test('that is declined stores nothing', async () => {
    const declined = await earshot(['login', PUBLIC_URL], { openBrowser: browserThat(ground.deny) })
    expect(declined).toMatchObject({ code: 3, err: expect.stringContaining('The sign-in was declined.') })
    expect((await earshot(['whoami'])).code).toBe(3)
  })

  test('that nobody makes ends after five minutes', async () => {
    const limit = 5 * MINUTE_MS
    vi.spyOn(systemClock, 'alarm').mockImplementation((milliseconds, ring) => {
      const timer = setTimeout(ring, milliseconds === limit ? 0 : milliseconds)
      return () => clearTimeout(timer)
    })
    const ended = await earshot(['login', PUBLIC_URL], { openBrowser: async () => true })
    expect(ended).toMatchObject({ code: 3, err: expect.stringContaining('Nobody signed in within five minutes.') })
    expect((await earshot(['whoami'])).code).toBe(3)
  })

  test('on another machine is pasted at the terminal', async () => {
    let asked: (address: URL) => void = () => undefined
    const address = new Promise<URL>((resolve) => {
      asked = resolve
    })
    async function* typed() {
      yield `${await ground.allow(await address)}\n`
    }
    const openBrowser = async (text: string) => {
      asked(new URL(text))
      return false
    }
    expect((await earshot(['login', PUBLIC_URL], { openBrowser, stdin: typed() })).code).toBe(0)
    expect((await earshot(['whoami'])).out).toContain('Acme')
  })

  test('renews its token when it has ended, once for commands at the same time', async () => {
    await signIn()
    const before = stored().profiles['default'] as OAuthProfile
    await ground.world.clock.advance(2 * HOUR_MS)
    const both = await Promise.all([earshot(['whoami']), earshot(['whoami'])])
    expect(both.map(({ code }) => code)).toEqual([0, 0])
    const after = stored().profiles['default'] as OAuthProfile
    expect(after.refreshToken).not.toBe(before.refreshToken)
    expect((await earshot(['whoami'])).code).toBe(0)
  })

  test('that the person took back has ended', async () => {
    await signIn()
    await ground.takeBackGrants()
    const ended = await earshot(['whoami'])
    expect(ended).toMatchObject({ code: 3, err: 'The sign-in has ended. Run: npx --no earshot login\n' })
  })

  test('ends at the installation with a logout', async () => {
    await signIn()
    const { accessToken } = stored().profiles['default'] as OAuthProfile
    expect((await earshot(['logout'])).err).toContain(`Signed out of Acme at ${PUBLIC_URL}`)
    expect((await earshot(['whoami'])).code).toBe(3)
    const used = await ground.fetch(`${PUBLIC_URL}/v1/whoami`, { headers: { authorization: `Bearer ${accessToken}` } })
    expect(used.status).toBe(401)
  })

  test('says so when the address is no Earshot', async () => {
    const elsewhere = await earshot(['login', 'https://elsewhere.example'], { openBrowser: async () => true })
    expect(elsewhere).toMatchObject({ code: 5, err: expect.stringContaining('Is it the address of an Earshot?') })
  })
})

/** The service, with other members in what it says of itself. */
function saying(path: string, members: object): typeof fetch {
  return async (input, init) => {
    const reply = await ground.fetch(input, init)
    if (!String(input).includes(path)) return reply
    return Response.json({ ...((await reply.json()) as object), ...members })
  }
}

describe('an installation', () => {
  test.each([
    {
      what: 'that calls itself otherwise',
      metadata: ['oauth-protected-resource', { resource: 'https://other.example/mcp' }],
      says: { code: 2, err: expect.stringContaining('its address is https://other.example.') },
    },
    {
      what: 'whose page for signing in is none of the web',
      metadata: ['oauth-authorization-server', { authorization_endpoint: 'file:///etc/passwd' }],
      says: { code: 1, err: expect.stringContaining('no page for signing in') },
    },
  ] as const)('$what opens no page and is asked for no token', async ({ metadata: [path, members], says }) => {
    const opened: string[] = []
    const ended = await earshot(['login', PUBLIC_URL], {
      fetch: saying(path, members),
      openBrowser: async (address) => Boolean(opened.push(address)),
    })
    expect(ended).toMatchObject(says)
    expect(opened).toEqual([])
  })

  test('never gets the token of another, which a login stored meanwhile', async () => {
    await signIn()
    const sent: (string | null)[] = []
    const ended = await earshot(['whoami'], {
      fetch: async (input, init) => {
        sent.push(new Headers(init?.headers).get('authorization'))
        const credentials = stored()
        const other = { ...credentials.profiles['default'], url: 'https://other.example', accessToken: 'of-the-other' }
        credentials.profiles['default'] = other as OAuthProfile
        writeFileSync(new CredentialStore(config.env).file, JSON.stringify(credentials))
        return ground.fetch(input, { ...init, headers: { authorization: 'Bearer refused' } })
      },
    })
    expect(ended).toMatchObject({
      code: 3,
      err: expect.stringContaining('belongs to Acme at https://other.example now'),
    })
    expect(sent).toHaveLength(1)
    expect(sent).not.toContain('Bearer of-the-other')
  })
})

test('only the answer to the request of the command ends its waiting', async () => {
  const statuses: number[] = []
  const openBrowser = async (address: string) => {
    const { origin } = new URL(new URL(address).searchParams.get('redirect_uri')!)
    for (const path of ['/callback?error=access_denied', '/callback?code=1&state=guessed', '//'])
      statuses.push((await fetch(`${origin}${path}`)).status)
    void ground.allow(new URL(address)).then((callback) => fetch(callback))
    return true
  }
  expect((await earshot(['login', PUBLIC_URL], { openBrowser })).code).toBe(0)
  expect(statuses).toEqual([404, 404, 404])
})

describe('the lock of the credentials', () => {
  const lockOf = () => `${new CredentialStore(config.env).file}.lock`
  const signOut = () => earshot(['logout', '--profile', 'work'])

  test('is respected as long as a renewal may last', async () => {
    await signIn('--profile', 'work')
    writeFileSync(lockOf(), '')
    const before = (systemClock.now().getTime() - 60 * SECOND_MS) / 1000
    utimesSync(lockOf(), before, before)
    const wait = vi.spyOn(systemClock, 'wait').mockImplementation(async () => rmSync(lockOf()))
    expect((await signOut()).code).toBe(0)
    expect(wait).toHaveBeenCalledOnce()
  })

  test('of a killed process is waited out', async () => {
    await signIn('--profile', 'work')
    writeFileSync(lockOf(), '')
    const begun = systemClock.now().getTime()
    let passed = 0
    vi.spyOn(systemClock, 'now').mockImplementation(() => new Date(begun + passed))
    vi.spyOn(systemClock, 'wait').mockImplementation(async () => {
      passed += 5 * SECOND_MS
    })
    expect((await signOut()).code).toBe(0)
    expect(existsSync(lockOf())).toBe(false)
  })
})

describe('several logins', () => {
  test('end one after the other, also when one of them cannot be ended at the installation', async () => {
    await signIn('--profile', 'one')
    await signIn('--profile', 'two')
    const { refreshToken } = stored().profiles['one'] as OAuthProfile
    const ended = await earshot(['logout', '--all'], {
      fetch: async (input, init) => {
        if (String(init?.body).includes(refreshToken)) throw new TypeError('fetch failed')
        return ground.fetch(input, init)
      },
    })
    expect(ended).toMatchObject({
      code: 5,
      err: expect.stringMatching(/on this machine only.*Signed out.*1 sign-in/s),
    })
    expect(stored().profiles).toEqual({})
  })

  test('are named, listed and chosen', async () => {
    const other = await ground.world.workspace('Globex')
    await signIn('--profile', 'work')
    const added = await earshot(['login', PUBLIC_URL, '--key', '-', '--profile', 'bot'], {
      stdin: `${other.readKey}\n`,
    })
    expect(added.err).toContain('Signed in to Globex')
    expect((await earshot(['whoami'])).out).toContain('Globex')
    expect((await earshot(['whoami', '--profile', 'work'])).out).toContain('Acme')
    expect((await earshot(['profiles', 'work'])).code).toBe(0)
    expect((await earshot(['whoami'])).out).toContain('Acme')
    expect((await earshot(['profiles'])).out).toMatch(/\* +work +oauth +Acme/)
    expect(await earshot(['whoami', '--profile', 'none'])).toMatchObject({ code: 3 })
  })

  test('with a key that does not work stores nothing', async () => {
    expect((await earshot(['login', PUBLIC_URL, '--key', 'ref_bad'])).code).toBe(3)
    expect((await earshot(['profiles'])).err).toBe('No logins.\n')
  })

  test('in a damaged file are told', async () => {
    await signIn()
    writeFileSync(new CredentialStore(config.env).file, '{')
    expect(await earshot(['whoami'])).toMatchObject({ code: 1, err: expect.stringContaining('is damaged') })
  })
})
