import { beforeAll, describe, expect, test } from 'vitest'
import type { Browser } from '../../../test/browser.ts'
import { changeUser } from '../../../test/rows.ts'
import { until } from '../../../test/until.ts'
import { useResource } from '../../../test/use-world.ts'
import { makeSignInLink } from '../../commands/accounts/make-sign-in-link.ts'
import { createApiKey } from '../../commands/api-keys/create-api-key.ts'
import { MINUTE_MS } from '../../kernel/clock.ts'
import { sql } from '../../store/database.ts'
import { createHouse, PASSWORD } from './house.suite.ts'

const house = useResource(() => createHouse({ mail: true }))
beforeAll(async () => {
  await house.join(await house.account('ada@example.com'), await house.workspace('Acme'), 'owner')
})

const waiting = async () =>
  (await house.services.db.query<{ mails: number }>(sql`select count(*) as mails from account_mail`))[0]!.mails

describe('signing in by password', () => {
  test('leads to the account, and signing out leads back', async () => {
    const browser = house.browser()
    expect((await browser.open('/account')).address).toBe('https://earshot.test/sign-in?next=%2Faccount')
    const account = await browser.press('Sign in', { 'E-mail address': ' ADA@example.com ', Password: PASSWORD })
    expect([account.heading, account.status]).toEqual(['Your account', 200])
    expect(account.text).toContain('Acme, of which you are an owner')
    const out = await browser.press('Sign out')
    expect([out.heading, out.text.includes('You are signed out.')]).toEqual(['Sign in', true])
    expect(browser.cookies.has('__Host-earshot_session')).toBe(false)
    expect((await browser.open('/account')).heading).toBe('Sign in')
  })

  test('leads to where somebody wanted to go, and nowhere else', async () => {
    const browser = house.browser()
    await browser.open('/sign-in?next=/workspaces?next=/account')
    expect((await browser.press('Sign in', { 'E-mail address': 'ada@example.com', Password: PASSWORD })).address).toBe(
      'https://earshot.test/workspaces?next=/account',
    )
    for (const next of ['//evil.example', 'https://evil.example', '/\\evil.example', '/.//evil.example']) {
      const other = house.browser()
      await other.open(`/sign-in?next=${encodeURIComponent(next)}`)
      expect(
        (await other.post('/sign-in', { email: 'ada@example.com', password: PASSWORD, next })).headers.get('location'),
      ).toBe('/account')
      const goes = await other.open(`/sign-in?next=${encodeURIComponent(next)}`)
      expect([goes.leftFor, goes.address]).toEqual([null, 'https://earshot.test/account'])
    }
  })

  test('and every later step leads nowhere else either, whatever a form or a cookie says', async () => {
    await house.join(await house.account('zoe@example.com'), await house.workspace('Zoo'))
    const browser = await house.signedIn('zoe@example.com')
    const evil = { next: '//evil.example' }
    const leads = async (path: string, fields: Record<string, string>) =>
      (await browser.post(path, fields)).headers.get('location')
    expect(await leads('/workspaces/new', { name: 'Mine', ...evil })).toBe('/account?saved=workspace')
    expect(await leads('/sign-out', evil)).toBe('/sign-in?out')
    for (const kept of [
      '%2F%2Fevil.example',
      '%2F%5Cevil.example',
      '//evil.example',
      '%zz',
      '%E2%82',
      'https%3A%2F%2Fevil.example',
    ]) {
      await house.world.clock.advance(MINUTE_MS)
      const other = house.browser()
      await other.open('/sign-in/link')
      await other.press('Send a link', { 'E-mail address': 'ada@example.com' })
      const link = await house.linkTo('ada@example.com')
      await other.open(link)
      ;(other.cookies as Map<string, string>).set('__Host-earshot_next', kept)
      expect(['/account', '/workspaces']).toContain((await other.post(link, {})).headers.get('location'))
      // Links that work already are not piled up.
      await house.world.clock.advance(15 * MINUTE_MS)
    }
  })

  test('with several workspaces asks which one', async () => {
    const bob = await house.account('bob@example.com')
    for (const name of ['First', 'Second']) await house.join(bob, await house.workspace(name))
    const browser = await house.signedIn('bob@example.com')
    expect(browser.view.heading).toBe('Choose a workspace')
    const chosen = await browser.press('Use this workspace', { 'Your workspaces': 'Second' })
    expect(chosen.text).toContain('Second, of which you are a member')
  })

  test('answers alike whether the address is unknown or the password is wrong', async () => {
    const answers = await Promise.all(
      ['ada@example.com', 'nobody@example.com'].map(async (email) => {
        const browser = house.browser()
        await browser.open('/sign-in')
        const { status, html, headers } = await browser.post('/sign-in', { email, password: 'not the password' })
        const token = browser.view.document.querySelector('input[name=form_token]').value
        expect(html).toContain(`value="${email}"`)
        expect(html).not.toContain('not the password')
        return [status, html.replaceAll(email, 'EMAIL').replaceAll(token, 'TOKEN'), [...headers.keys()].sort()]
      }),
    )
    expect(answers[0]).toEqual(answers[1])
    expect(answers[0]![0]).toBe(401)
  })

  test('without an account that has a password is refused in the same words', async () => {
    await house.account('linked@example.com', { password: null })
    const browser = house.browser()
    await browser.open('/sign-in')
    const view = await browser.press('Sign in', { 'E-mail address': 'linked@example.com', Password: PASSWORD })
    expect([view.status, view.document.querySelector('[role=alert]').textContent]).toEqual([
      401,
      'The e-mail address or the password is wrong.',
    ])
  })
})

describe('signing in by link', () => {
  test('takes a mail, a page with a button, and goes on to where somebody wanted to go', async () => {
    const browser = house.browser()
    await browser.open('/sign-in?next=/workspaces')
    await browser.follow('Send a link instead')
    const sent = await browser.press('Send a link', { 'E-mail address': 'ada@example.com' })
    expect(sent.heading).toBe('Check your mail')
    const link = await house.linkTo('ada@example.com')
    const page = await browser.open(link)
    expect(page.text).toContain('ada@example.com')
    expect((await browser.press('Sign in')).address).toBe('https://earshot.test/workspaces')
    expect(browser.cookies.has('__Host-earshot_next')).toBe(false)
  })

  test('opening the link uses nothing up, pressing the button does', async () => {
    const browser = house.browser()
    await browser.open('/sign-in/link')
    await browser.press('Send a link', { 'E-mail address': 'ada@example.com' })
    const link = await house.linkTo('ada@example.com')
    for (let scanned = 0; scanned < 3; scanned += 1) expect((await fetch(house.origin + link)).status).toBe(200)
    await browser.open(link)
    expect((await browser.press('Sign in')).heading).toBe('Your account')
    const again = house.browser()
    const used = await again.open(link)
    expect([used.status, used.heading]).toEqual([400, 'Page not found'])
    await again.open('/sign-in')
    expect((await again.post(link, {})).status).toBe(400)
    expect(again.cookies.has('__Host-earshot_session')).toBe(false)
  })

  test('is over after fifteen minutes', async () => {
    const browser = house.browser()
    await browser.open('/sign-in/link')
    await browser.press('Send a link', { 'E-mail address': 'ada@example.com' })
    const link = await house.linkTo('ada@example.com')
    await browser.open(link)
    await house.world.clock.advance(15 * MINUTE_MS)
    expect((await browser.press('Sign in')).heading).toBe('Page not found')
  })

  test('asked for twice with known and unknown addresses answers alike, and mails only who has an account', async () => {
    const answers = []
    const mails = []
    for (const email of ['ada@example.com', 'nobody@example.com']) {
      const before = await waiting()
      const browser = house.browser()
      await browser.open('/sign-in/link')
      const { status, html, headers } = await browser.post('/sign-in/link', { email })
      answers.push([status, html, headers.get('location'), headers.getSetCookie()])
      mails.push((await waiting()) - before)
    }
    expect(answers[0]).toEqual(answers[1])
    expect(answers[0]![0]).toBe(303)
    expect(mails).toEqual([1, 0])
  })

  test('what is no address is told beside the field', async () => {
    const browser = house.browser()
    await browser.open('/sign-in/link')
    const view = await browser.press('Send a link', { 'E-mail address': 'ada' })
    const input = view.document.querySelector('#email')
    expect([
      view.status,
      input.value,
      input.getAttribute('aria-invalid'),
      input.getAttribute('aria-describedby'),
    ]).toEqual([400, 'ada', 'true', 'email-wrong'])
    expect(view.document.querySelector('#email-wrong').textContent).toBe('Must be an e-mail address.')
  })
})

describe('a link to an account whose address nobody has confirmed', () => {
  const unconfirmed = async (email: string) => {
    await house.join(await house.account(email), await house.workspace('Den'), 'owner')
    await changeUser(house.services, { email }, { emailConfirmedAt: null })
  }
  const mailedTo = async (browser: Browser, email: string) => {
    await browser.open('/sign-in/link?next=/workspaces')
    await browser.press('Send a link', { 'E-mail address': email })
    return browser.open(await house.linkTo(email))
  }

  test('says beforehand that the password ends, asks for another one, and goes on to where somebody wanted to go', async () => {
    await unconfirmed('hen@example.com')
    const planter = await house.signedIn('hen@example.com')
    const browser = house.browser()
    expect((await mailedTo(browser, 'hen@example.com')).text).toContain('your password will have to be set again')
    const asked = await browser.press('Sign in')
    expect([asked.heading, asked.text.includes('Set one of your own.')]).toEqual(['Set a password', true])
    const short = await browser.press('Set the password', { 'New password': 'short' })
    expect([short.status, short.document.querySelector('#new-wrong').textContent]).toEqual([
      400,
      'Must have at least 10 characters.',
    ])
    expect((await browser.press('Set the password', { 'New password': 'a heron on the roof' })).address).toBe(
      'https://earshot.test/workspaces',
    )
    expect((await planter.open('/account')).heading).toBe('Sign in')
  })

  test('takes nothing away in the browser of who knows the password', async () => {
    await unconfirmed('cow@example.com')
    const browser = house.browser()
    const page = await mailedTo(browser, 'cow@example.com')
    await browser.follow('sign in with it first')
    const back = await browser.press('Sign in', { 'E-mail address': 'cow@example.com', Password: PASSWORD })
    expect([back.address, back.text.includes('set again')]).toEqual([page.address, false])
    expect((await browser.press('Sign in')).address).toBe('https://earshot.test/workspaces')
    const anew = await house.signedIn('cow@example.com')
    expect(anew.view.heading).toBe('Your account')
    expect((await mailedTo(house.browser(), 'cow@example.com')).text).not.toContain('set again')
  })
})

describe('a new password', () => {
  test('is chosen by a link, ends what was open elsewhere, and signs in', async () => {
    const eve = await house.account('eve@example.com')
    await house.join(eve, await house.workspace('Eden'))
    const elsewhere = await house.signedIn('eve@example.com')
    const browser = house.browser()
    await browser.open('/sign-in')
    await browser.follow('Forgot the password?')
    await browser.press('Send the link', { 'E-mail address': 'eve@example.com' })
    await browser.open(await house.linkTo('eve@example.com'))
    const short = await browser.press('Set the password and sign in', { 'New password': 'short' })
    expect([short.status, short.document.querySelector('#password-wrong').textContent]).toEqual([
      400,
      'Must have at least 10 characters.',
    ])
    expect(
      (await browser.press('Set the password and sign in', { 'New password': 'another walrus entirely' })).heading,
    ).toBe('Your account')
    expect((await elsewhere.open('/account')).heading).toBe('Sign in')
    const anew = house.browser()
    await anew.open('/sign-in')
    expect((await anew.press('Sign in', { 'E-mail address': 'eve@example.com', Password: PASSWORD })).status).toBe(401)
    expect(
      (await anew.press('Sign in', { 'E-mail address': 'eve@example.com', Password: 'another walrus entirely' }))
        .status,
    ).toBe(200)
  })

  test('names the API keys that go on working, of workspaces that the person owns', async () => {
    const [own, other] = [await house.workspace('Own'), await house.workspace('Other')]
    const fox = await house.account('fox@example.com')
    await house.join(fox, own, 'owner')
    await house.join(fox, other, 'admin')
    for (const [workspaceId, name] of [
      [own, 'One'],
      [own, 'Two'],
      [other, 'Three'],
    ] as const)
      await createApiKey({ ...house.services, workspaceId }, { name, scope: 'write', expiresAt: null })
    const browser = house.browser()
    await browser.open(new URL(String(await makeSignInLink(house.services, 'fox@example.com'))).pathname)
    const account = await browser.press('Set the password and sign in', { 'New password': 'another walrus entirely' })
    expect(account.text).toContain('Own: 2 keys')
    expect(account.text).not.toContain('Other:')
    expect([...account.document.querySelectorAll('.note a')].map((link) => link.getAttribute('href'))).toEqual([
      '/keys',
    ])
    expect((await browser.open('/account')).text).not.toContain('Own: 2 keys')
  })

  test('is not to be had with a link for signing in, nor the other way round', async () => {
    const browser = house.browser()
    await browser.open('/sign-in/link')
    await browser.press('Send a link', { 'E-mail address': 'ada@example.com' })
    const secret = (await house.linkTo('ada@example.com')).split('/').at(-1)
    for (const path of ['/reset', '/sign-up']) expect((await browser.open(`${path}/${secret}`)).status).toBe(400)
  })
})

describe('where no mail is sent', () => {
  test('the pages say so, and the operator can still make a link', async () => {
    const quiet = await createHouse()
    await quiet.join(await quiet.account('ada@example.com'), await quiet.workspace('Acme'))
    const browser = quiet.browser()
    expect((await browser.open('/sign-in')).text).not.toContain('Send a link')
    expect((await browser.follow('Forgot the password?')).text).toContain('npx --no earshot sign-in-link')
    expect((await browser.open('/sign-in/link')).text).toContain('npx --no earshot sign-in-link')
    await browser.open('/sign-in')
    for (const path of ['/sign-in/link', '/reset'])
      expect((await browser.post(path, { email: 'ada@example.com' })).status).toBe(503)
    await browser.open(new URL(String(await makeSignInLink(quiet.services, 'ada@example.com'))).pathname)
    expect(
      (await browser.press('Set the password and sign in', { 'New password': 'another walrus entirely' })).heading,
    ).toBe('Your account')
    await quiet.close()
  })
})

describe('attempts', () => {
  test('are limited to ten a minute from one address, whoever they are for', async () => {
    const statuses = []
    const browser = house.browser({ from: '10.9.9.9' })
    await browser.open('/sign-in')
    for (let n = 0; n < 11; n += 1)
      statuses.push(await browser.post('/sign-in', { email: `n${n}@example.com`, password: 'wrong wrong wrong' }))
    expect(statuses.map(({ status }) => status)).toEqual([...Array<number>(10).fill(401), 429])
    const last = statuses.at(-1)!
    expect([last.heading, Number(last.headers.get('retry-after')) > 0]).toEqual(['Too many attempts', true])
    const neighbour = house.browser({ from: '10.9.9.10' })
    await neighbour.open('/sign-in')
    expect((await neighbour.post('/sign-in', { email: 'n1@example.com', password: 'wrong wrong wrong' })).status).toBe(
      401,
    )
    await house.world.clock.advance(MINUTE_MS)
    expect((await browser.post('/sign-in', { email: 'n1@example.com', password: 'wrong wrong wrong' })).status).toBe(
      401,
    )
  })

  test.each(['ada@example.com', 'nobody@example.com'])(
    'for %s are limited to ten a minute from everywhere, written in whatever way, and to one from an address that has not failed',
    async (email) => {
      await house.world.clock.advance(MINUTE_MS)
      const browsers = Array.from({ length: 11 }, () => house.browser())
      const guess = async (browser: Browser, n: number) => {
        await browser.open('/sign-in')
        return (
          await browser.post('/sign-in', {
            email: n % 2 === 0 ? email : ` ${email.toUpperCase()}`,
            password: 'wrong wrong wrong',
          })
        ).status
      }
      const statuses = []
      for (const [n, browser] of browsers.slice(0, 10).entries()) statuses.push(await guess(browser, n))
      expect(statuses).toEqual(Array<number>(10).fill(401))
      // Who has failed may not go on, and who has not has one try.
      expect([await guess(browsers[0]!, 0), await guess(browsers[10]!, 1), await guess(browsers[10]!, 2)]).toEqual([
        429, 401, 429,
      ])
    },
  )

  test('of strangers do not keep the owner out of a new browser', async () => {
    await house.world.clock.advance(MINUTE_MS)
    const stranger = house.browser()
    await stranger.open('/sign-in')
    for (let n = 0; n < 10; n += 1)
      await stranger.post('/sign-in', { email: 'ada@example.com', password: 'wrong wrong wrong' })
    expect((await house.signedIn('ada@example.com')).view.heading).toBe('Your account')
  })

  test('that are right do not count against an account', async () => {
    await house.world.clock.advance(MINUTE_MS)
    for (let n = 0; n < 12; n += 1) expect((await house.signedIn('ada@example.com')).view.heading).toBe('Your account')
  })

  test('of strangers keep nobody out of a browser in which they have signed in before, who cannot guess for ever there either', async () => {
    await house.join(await house.account('owl@example.com'), await house.workspace('Wood'))
    await house.account('cat@example.com')
    const known = await house.signedIn('owl@example.com')
    await known.press('Sign out')
    await house.world.clock.advance(MINUTE_MS)
    const attempt = async (browser: Browser, email: string, password: string) => {
      await browser.open('/sign-in')
      return (await browser.post('/sign-in', { email, password })).status
    }
    for (const email of ['owl@example.com', 'cat@example.com'])
      for (let n = 0; n < 10; n += 1) expect(await attempt(house.browser(), email, 'wrong wrong wrong')).toBe(401)
    const failed = house.browser()
    expect([
      await attempt(failed, 'owl@example.com', 'wrong wrong wrong'),
      await attempt(failed, 'owl@example.com', PASSWORD),
    ]).toEqual([401, 429])
    // What a browser is known by counts for the account that was signed in to, and not when somebody made it up.
    expect([
      await attempt(known, 'cat@example.com', 'wrong wrong wrong'),
      await attempt(known, 'cat@example.com', PASSWORD),
    ]).toEqual([401, 429])
    const forger = failed
    ;(forger.cookies as Map<string, string>).set('__Host-earshot_known', 'v1.AAAA')
    expect(await attempt(forger, 'owl@example.com', PASSWORD)).toBe(429)
    const carried = known.cookies.get('__Host-earshot_known')!
    const statuses = []
    for (let n = 0; n < 11; n += 1) {
      const roaming = house.browser()
      ;(roaming.cookies as Map<string, string>).set('__Host-earshot_known', carried)
      statuses.push(await attempt(roaming, 'owl@example.com', 'wrong wrong wrong'))
    }
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429])
    await house.world.clock.advance(MINUTE_MS)
    expect(await attempt(known, 'owl@example.com', PASSWORD)).toBe(303)
  })

  test('in vain leave the way by a mailed link open, from the same address too', async () => {
    await house.world.clock.advance(MINUTE_MS)
    const browser = house.browser()
    await browser.open('/sign-in')
    for (let n = 0; n < 10; n += 1)
      await browser.post('/sign-in', { email: 'ada@example.com', password: 'wrong wrong wrong' })
    for (let n = 0; n < 12; n += 1) {
      const stranger = house.browser()
      await stranger.open('/sign-in/link')
      expect((await stranger.post('/sign-in/link', { email: 'ada@example.com' })).status).toBe(303)
    }
    expect((await browser.post('/sign-in', { email: 'ada@example.com', password: PASSWORD })).status).toBe(429)
    expect((await browser.post('/sign-in/link', { email: 'ada@example.com' })).status).toBe(303)
    await browser.open(await house.linkTo('ada@example.com'))
    expect((await browser.press('Sign in')).heading).toBe('Your account')
  })

  test.each([
    ['/sign-in/link', 303],
    ['/reset', 303],
  ])('at %s are limited as well', async (path, usual) => {
    await house.world.clock.advance(MINUTE_MS)
    const browser = house.browser({ from: '10.9.9.11' })
    await browser.open('/sign-in')
    const statuses = []
    for (let n = 0; n < 11; n += 1) statuses.push((await browser.post(path, { email: `m${n}@example.com` })).status)
    expect(statuses).toEqual([...Array<number>(10).fill(usual), 429])
  })

  test('a caller cannot have another address by saying so: what the nearest proxy saw counts', async () => {
    await house.world.clock.advance(MINUTE_MS)
    const statuses = []
    for (let n = 0; n < 11; n += 1) {
      const browser = house.browser({ from: `192.0.2.${n}, 10.9.9.12` })
      await browser.open('/sign-in')
      statuses.push(
        (await browser.post('/sign-in', { email: `o${n}@example.com`, password: 'wrong wrong wrong' })).status,
      )
    }
    expect(statuses.at(-1)).toBe(429)
  })

  test('one IPv6 network is one caller', async () => {
    await house.world.clock.advance(MINUTE_MS)
    const statuses = []
    for (let n = 0; n < 11; n += 1) {
      const browser = house.browser({ from: `2001:db8:1:2::${n + 1}` })
      await browser.open('/sign-in')
      statuses.push(
        (await browser.post('/sign-in', { email: `p${n}@example.com`, password: 'wrong wrong wrong' })).status,
      )
    }
    expect(statuses.at(-1)).toBe(429)
    const neighbour = house.browser({ from: '2001:db8:1:3::1' })
    await neighbour.open('/sign-in')
    expect((await neighbour.post('/sign-in', { email: 'p99@example.com', password: 'wrong wrong wrong' })).status).toBe(
      401,
    )
  })
})

test('no line of the log holds a secret, a password, a link or an address', async () => {
  const browser = await house.signedIn('ada@example.com')
  await browser.open('/sign-in/link/lnk_of-nobody')
  await browser.open('/sign-in?next=/account?who=ada@example.com')
  await until(() => house.logged.some(({ route }) => route === '/sign-in/link/:secret'))
  const log = JSON.stringify(house.logged)
  expect(log).toContain('/sign-in')
  for (const secret of [browser.cookies.get('__Host-earshot_session')!, PASSWORD, 'ada@example.com', 'lnk_'])
    expect(log).not.toContain(secret)
})
