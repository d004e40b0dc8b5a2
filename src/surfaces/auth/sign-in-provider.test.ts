import { beforeAll, describe, expect, test } from 'vitest'
import { changeUser } from '../../../test/rows.ts'
import { useResource } from '../../../test/use-world.ts'
import type { ProviderProfile } from '../../commands/accounts/sign-in-by-provider.ts'
import { MINUTE_MS } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { createHouse } from './house.suite.ts'
import type { SignInProvider } from './providers/provider.ts'

/** Stands in for a provider: whoever comes back with its state is the profile that the test has set. */
const profiles: Record<string, ProviderProfile | 'refused'> = {}
let begun = 0
let finished = 0
const providerOf = (name: 'google' | 'github', title: 'Google' | 'GitHub'): SignInProvider => ({
  name,
  title,
  async start(redirectUri) {
    begun += 1
    const state = `${name}-${begun}`
    return {
      url: `https://${name}.example/authorize?state=${state}&redirect_uri=${encodeURIComponent(redirectUri)}`,
      memory: state,
    }
  },
  async finish(callback, memory, redirectUri) {
    finished += 1
    if (redirectUri !== `https://earshot.test/sign-in/${name}/callback`)
      throw new Error('another address than at the start')
    return callback.searchParams.get('state') === memory ? profiles[name]! : 'refused'
  },
})

let acme: Uuid
const house = useResource(() =>
  createHouse({ mail: true, providers: [providerOf('google', 'Google'), providerOf('github', 'GitHub')] }),
)
beforeAll(async () => {
  acme = await house.workspace('Acme')
  await house.join(await house.account('ada@example.com'), acme, 'owner')
  profiles.google = { provider: 'google', subject: '1', email: 'ada@example.com', emailVerified: true, name: 'Ada' }
  profiles.github = { provider: 'github', subject: '7', email: 'new@example.com', emailVerified: true, name: 'New' }
})

/** What the provider sends a browser back with. */
const callbackOf = (url: string | null) => {
  const asked = new URL(url!).searchParams
  return `${new URL(asked.get('redirect_uri')!).pathname}?code=x&state=${asked.get('state')}`
}

describe('signing in through a provider', () => {
  test('goes there and back, to where somebody wanted to go', async () => {
    const browser = house.browser()
    await browser.open('/sign-in?next=/workspaces')
    const away = await browser.follow('Continue with Google')
    expect(away.leftFor).toMatch(/^https:\/\/google\.example\//)
    expect(away.leftFor).not.toContain('workspaces')
    // A client on the web that waits for the end of it in a window of its own must not lose that window on the way.
    expect(away.headers.get('cross-origin-opener-policy')).toBe('unsafe-none')
    expect((await browser.open(callbackOf(away.leftFor))).address).toBe('https://earshot.test/workspaces')
    expect((await browser.open('/account')).text).toContain('You sign in as ada@example.com')
  })

  test('to an account that nobody has confirmed ends what was there, and asks for a password of their own', async () => {
    await house.account('bee@example.com')
    await changeUser(house.services, { email: 'bee@example.com' }, { emailConfirmedAt: null })
    const planter = await house.signedIn('bee@example.com')
    profiles.github = { provider: 'github', subject: '8', email: 'bee@example.com', emailVerified: true, name: 'Bee' }
    const browser = house.browser()
    const asked = await browser.open(callbackOf((await browser.open('/sign-in/github?next=/workspaces')).leftFor))
    expect([asked.heading, asked.text.includes('Set one of your own.')]).toEqual(['Set a password', true])
    expect((await browser.follow('Continue without a password')).address).toBe('https://earshot.test/workspaces')
    expect((await planter.open('/account')).heading).toBe('Sign in')
    profiles.github = { provider: 'github', subject: '7', email: 'new@example.com', emailVerified: true, name: 'New' }
  })

  test('in a browser that is signed in to such an account takes nothing away', async () => {
    await house.account('ant@example.com')
    await changeUser(house.services, { email: 'ant@example.com' }, { emailConfirmedAt: null })
    const browser = await house.signedIn('ant@example.com')
    profiles.github = { provider: 'github', subject: '9', email: 'ant@example.com', emailVerified: true, name: 'Ant' }
    const back = await browser.open(callbackOf((await browser.open('/sign-in/github?next=/account')).leftFor))
    expect(back.address).toBe('https://earshot.test/account')
    expect((await house.signedIn('ant@example.com')).view.status).toBe(200)
    profiles.github = { provider: 'github', subject: '7', email: 'new@example.com', emailVerified: true, name: 'New' }
  })

  test('works once for each start: an answer that comes again is not taken', async () => {
    const browser = house.browser()
    const callback = callbackOf((await browser.open('/sign-in/google')).leftFor)
    expect((await browser.open(callback)).heading).toBe('Your account')
    expect((await browser.open(callback)).status).toBe(403)
  })

  test('works once for each start also with a browser that keeps its cookie, and another sign-in beside it works', async () => {
    const [browser, other] = [house.browser(), house.browser()]
    const callback = callbackOf((await browser.open('/sign-in/google')).leftFor)
    const second = callbackOf((await other.open('/sign-in/google')).leftFor)
    const cookies = new Map(browser.cookies)
    expect((await browser.open(callback)).heading).toBe('Your account')
    const asked = finished
    const replaying = house.browser()
    for (const [name, value] of cookies) (replaying.cookies as Map<string, string>).set(name, value)
    expect((await replaying.open(callback)).status).toBe(403)
    expect(finished).toBe(asked)
    expect((await other.open(second)).heading).toBe('Your account')
  })

  test('that comes back too often in a minute is not taken to the provider, and goes on a minute later', async () => {
    const browser = house.browser({ from: '203.0.113.50' })
    const callback = callbackOf((await browser.open('/sign-in/google')).leftFor)
    const stranger = house.browser({ from: '203.0.113.50' })
    const asked = finished
    const statuses = []
    for (let at = 0; at < 11; at += 1)
      statuses.push((await stranger.open('/sign-in/google/callback?code=x&state=y')).status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 403), 429])
    expect((await browser.open(callback)).status).toBe(429)
    expect(finished).toBe(asked)
    await house.world.clock.advance(MINUTE_MS)
    expect((await browser.open(callback)).heading).toBe('Your account')
  })

  test('cannot be finished in a browser in which it was not begun', async () => {
    const [eve, victim] = [house.browser(), house.browser()]
    const callback = callbackOf((await eve.open('/sign-in/google')).leftFor)
    const view = await victim.open(callback)
    expect([view.status, victim.cookies.has('__Host-earshot_session')]).toEqual([403, false])
    await victim.open('/sign-in/google')
    expect((await victim.open(callback)).status).toBe(403)
  })

  test('begun with one provider cannot be finished with another', async () => {
    const browser = house.browser()
    const callback = callbackOf((await browser.open('/sign-in/google')).leftFor).replace('google', 'github')
    expect((await browser.open(callback)).status).toBe(403)
  })

  test('has to be finished within ten minutes', async () => {
    const browser = house.browser()
    const callback = callbackOf((await browser.open('/sign-in/google')).leftFor)
    await house.world.clock.advance(10 * MINUTE_MS)
    expect((await browser.open(callback)).text).toContain('took too long')
  })

  test('what the browser keeps meanwhile can be neither read nor changed', async () => {
    const browser = house.browser()
    const callback = callbackOf((await browser.open('/sign-in/google?next=/workspaces')).leftFor)
    const kept = browser.cookies.get('__Host-earshot_provider')!
    for (const part of ['google', 'workspaces'])
      expect(Buffer.from(kept.split('.')[1]!, 'base64url').toString('latin1')).not.toContain(part)
    ;(browser.cookies as Map<string, string>).set('__Host-earshot_provider', `${kept.slice(0, -4)}AAAA`)
    expect((await browser.open(callback)).status).toBe(403)
  })

  test('a place that is too long to be kept is left out rather than the sign-in', async () => {
    const browser = house.browser()
    const away = await browser.open(`/sign-in/google?next=/workspaces?${'x'.repeat(5000)}`)
    expect((await browser.open(callbackOf(away.leftFor))).heading).toBe('Your account')
  })

  test('that the provider refuses is said', async () => {
    const browser = house.browser()
    await browser.open('/sign-in/github')
    const view = await browser.open('/sign-in/github/callback?error=access_denied')
    expect([view.status, view.text.includes('GitHub did not sign you in')]).toEqual([403, true])
  })

  test('makes no account for who may not have one, and one for who is invited', async () => {
    const stranger = house.browser()
    expect((await stranger.open(callbackOf((await stranger.open('/sign-in/github')).leftFor))).status).toBe(403)
    const browser = house.browser()
    await browser.open(await house.invite(acme, 'new@example.com'))
    const view = await browser.open(callbackOf((await browser.follow('Continue with GitHub')).leftFor))
    expect(view.text).toContain('Acme, of which you are a member')
  })

  test('with an account leads back to the invitation, to be accepted', async () => {
    const other = await house.workspace('Other')
    const browser = house.browser()
    await browser.open(await house.invite(other, 'ada@example.com'))
    expect((await browser.open(callbackOf((await browser.follow('Continue with Google')).leftFor))).heading).toBe(
      'You are invited',
    )
    expect((await browser.press('Join Other')).text).toContain('Other, of which you are a member')
  })

  test('is not offered where none is set up', async () => {
    const plain = await createHouse()
    expect((await plain.browser().open('/sign-in')).text).not.toContain('Continue with')
    expect((await fetch(`${plain.origin}/sign-in/google`)).status).toBe(404)
    await plain.close()
  })
})
