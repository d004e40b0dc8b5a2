import { request } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { inviteAsOperator } from '../../commands/members/invite-as-operator.ts'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { DAY_MS, MINUTE_MS } from '../../kernel/clock.ts'
import { sql } from '../../store/database.ts'
import { createHouse, type House, type HouseOptions, PASSWORD } from './house.suite.ts'

let house: House
afterEach(() => house.close())

const open = async (options?: HouseOptions) => {
  house = await createHouse(options)
  return house
}
const ADA = {
  'Your name': 'Ada',
  'E-mail address': 'ada@example.com',
  Password: PASSWORD,
  'Name of your workspace': 'Acme',
}
const rolesOf = (name: string) =>
  house.services.db.query(
    sql`select w.name, m.role from membership m join workspace w on w.id = m.workspace_id
        join user_account u on u.id = m.user_id where u.name = ${name}`,
  )

describe('on a fresh installation', () => {
  test('the first person makes an account without mail and owns a workspace of the name they gave', async () => {
    await open()
    const browser = house.browser()
    await browser.open('/')
    await browser.follow('Sign in')
    await browser.follow('Create the first one')
    const account = await browser.press('Create the account', ADA)
    expect([account.heading, account.text.includes('Acme, of which you are an owner')]).toEqual(['Your account', true])
    expect(await rolesOf('Ada')).toEqual([{ name: 'Acme', role: 'owner' }])
    const second = house.browser()
    expect((await second.open('/sign-up')).text).toContain('require an invitation')
    await second.open('/sign-in')
    const { status } = await second.post('/sign-up', {
      name: 'Eve',
      email: 'eve@example.com',
      password: PASSWORD,
      workspaceName: 'Mine',
    })
    expect([status, await rolesOf('Eve')]).toEqual([403, []])
  })

  test('at the machine itself, which nobody else reaches, the first person becomes the owner of the workspace that the command line made', async () => {
    await open({ publicUrl: 'http://localhost:4400' })
    await house.workspace('Made before')
    const browser = house.browserAtHome()
    await browser.open('/sign-up')
    await browser.press('Create the account', ADA)
    expect(await rolesOf('Ada')).toEqual([{ name: 'Made before', role: 'owner' }])
  })

  const EVE = { name: 'Eve', email: 'eve@example.com', password: PASSWORD, workspaceName: 'Mine' }

  test('an address of this machine in the settings opens no workspace to who comes over an open port', async () => {
    await open({ publicUrl: 'http://localhost:4400', host: '0.0.0.0' })
    await house.workspace('Made before')
    const browser = house.browserAtHome()
    expect((await browser.open('/sign-up')).text).toContain('npx --no earshot invite WORKSPACE EMAIL --role owner')
    expect((await browser.open('/sign-in')).text).toContain('How to create the first one')
    expect([(await browser.post('/sign-up', EVE)).status, await rolesOf('Eve')]).toEqual([403, []])
  })

  test.each([
    ['through a proxy', { 'x-forwarded-for': '10.1.2.3' }],
    ['by another name', { host: 'earshot.example:4400' }],
  ])('nor to who comes %s', async (_how, headers) => {
    await open({ publicUrl: 'http://localhost:4400' })
    await house.workspace('Made before')
    const browser = house.browserAtHome()
    await browser.open('/sign-in')
    const token = (await browser.open('/sign-up')).document.querySelector('[name=form_token]').value
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const form = new URLSearchParams({ ...EVE, form_token: token }).toString()
    const type = 'application/x-www-form-urlencoded'
    expect(
      await statusOf('POST', { ...headers, cookie, origin: 'http://localhost:4400', 'content-type': type }, form),
    ).toBe(403)
    expect(await rolesOf('Eve')).toEqual([])
    // The same request without what gives it away.
    expect(await statusOf('POST', { cookie, origin: 'http://localhost:4400', 'content-type': type }, form)).toBe(303)
  })

  /** Fetch does not let a test choose the Host. */
  function statusOf(method: string, headers: Record<string, string>, body: string): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const asked = request(`${house.origin}/sign-up`, { method, headers }, (reply) =>
        resolve(reply.resume().statusCode),
      )
      asked.on('error', reject).end(body)
    })
  }

  test('where strangers reach it, the owner of a workspace that is there is invited by the operator, and the page says how', async () => {
    await open()
    const acme = await house.workspace('Made before')
    const browser = house.browser()
    const signIn = await browser.open('/sign-in')
    expect(signIn.text).toContain('No account exists yet.')
    const page = await browser.follow('How to create the first one')
    expect([page.status, page.text.includes('npx --no earshot invite WORKSPACE EMAIL --role owner')]).toEqual([
      200,
      true,
    ])
    expect(page.document.querySelector('form')).toBeNull()
    const { status } = await browser.post('/sign-up', {
      name: 'Eve',
      email: 'eve@example.com',
      password: PASSWORD,
      workspaceName: 'Mine',
    })
    expect([status, await rolesOf('Eve')]).toEqual([403, []])

    const invited = await inviteAsOperator({ ...house.services, workspaceId: acme }, 'ada@example.com', null)
    if (isRefusal(invited)) throw new Error(invited.message)
    expect((await browser.open(new URL(invited.link).pathname)).text).toContain(
      'You are invited to join Made before as an owner.',
    )
    await browser.press('Create an account and join', { 'Your name': 'Ada', Password: PASSWORD })
    expect(await rolesOf('Ada')).toEqual([{ name: 'Made before', role: 'owner' }])
    expect((await house.browser().open('/sign-up')).text).toContain('require an invitation')
  })

  test('of several who come at once one is the first', async () => {
    await open()
    const answers = await Promise.all(
      ['Ada', 'Bob', 'Eve', 'Joe'].map(async (name) => {
        const browser = house.browser()
        await browser.open('/sign-up')
        return (
          await browser.post('/sign-up', {
            name,
            email: `${name}@example.com`,
            password: PASSWORD,
            workspaceName: 'Acme',
          })
        ).status
      }),
    )
    expect(answers.sort()).toEqual([303, 403, 403, 403])
    expect(await house.services.db.query(sql`select count(*) as accounts from user_account`)).toEqual([{ accounts: 1 }])
  })

  test('everything that is wrong is told at once, and what was entered is kept but for the password', async () => {
    await open()
    const browser = house.browser()
    await browser.open('/sign-up')
    const view = await browser.press('Create the account', {
      ...ADA,
      'Your name': ' ',
      'E-mail address': 'ada',
      Password: 'short',
      'Name of your workspace': '',
    })
    expect(view.status).toBe(400)
    expect([...view.document.querySelectorAll('[aria-invalid=true]')].map(({ id }) => id)).toEqual([
      'name',
      'email',
      'password',
      'workspaceName',
    ])
    expect([...view.document.querySelectorAll('[autofocus]')].map(({ id }) => id)).toEqual(['name'])
    expect(view.document.querySelector('#email').value).toBe('ada')
    expect(view.document.querySelector('#password').value).toBe('')
    expect(view.html).not.toContain('short')
    expect((await browser.press('Create the account', { ...ADA, 'E-mail address': 'ada@example.com' })).heading).toBe(
      'Your account',
    )
  })
})

describe('where anybody may make an account', () => {
  test('an address comes first, then a mail, then the account and a workspace of their own', async () => {
    await open({ mail: true, signUp: 'open' })
    await house.account('owner@example.com')
    const browser = house.browser()
    await browser.open('/sign-in?next=/account')
    await browser.follow('Create an account')
    await browser.press('Send the link', { 'E-mail address': 'ada@example.com' })
    const link = await house.linkTo('ada@example.com')
    const page = await browser.open(link)
    expect(page.document.querySelector('#email').value).toBe('ada@example.com')
    const wrong = await browser.press('Create the account', { 'Your name': 'Ada', Password: 'ada@example.com' })
    expect([wrong.status, wrong.document.querySelector('#name').value]).toEqual([400, 'Ada'])
    expect((await browser.press('Create the account', { 'Your name': 'Ada', Password: PASSWORD })).address).toBe(
      'https://earshot.test/account',
    )
    expect((await browser.follow('Make one')).text).toContain('You have no workspace yet')
    expect((await browser.press('Create the workspace', { Name: 'Acme' })).text).toContain(
      'Acme, of which you are an owner',
    )
    expect((await house.browser().open(link)).status).toBe(400)
  })

  test('without a place to go on to, a workspace is the next thing', async () => {
    await open({ mail: true, signUp: 'open' })
    await house.account('owner@example.com')
    const browser = house.browser()
    await browser.open('/sign-up')
    await browser.press('Send the link', { 'E-mail address': 'ada@example.com' })
    await browser.open(await house.linkTo('ada@example.com'))
    expect((await browser.press('Create the account', { 'Your name': 'Ada', Password: PASSWORD })).heading).toBe(
      'Choose a workspace',
    )
  })

  test('an address with an account gets another mail, and whoever asks sees no difference', async () => {
    await open({ mail: true, signUp: 'open' })
    await house.account('ada@example.com')
    const answers = []
    for (const email of ['ada@example.com', 'new@example.com']) {
      const browser = house.browser()
      await browser.open('/sign-up')
      const { status, html, headers } = await browser.post('/sign-up', { email })
      answers.push([status, html, headers.get('location'), headers.getSetCookie()])
    }
    expect(answers[0]).toEqual(answers[1])
    const [known, unknown] = [
      (await house.mails('ada@example.com')).at(-1)!,
      (await house.mails('new@example.com')).at(-1)!,
    ]
    expect(known.text).toContain('/sign-in')
    expect(known.text).not.toContain('/sign-up/')
    expect(unknown.text).toContain('/sign-up/lnk_')
  })

  test('a link is over after a day', async () => {
    await open({ mail: true, signUp: 'open' })
    await house.account('owner@example.com')
    const browser = house.browser()
    await browser.open('/sign-up')
    await browser.press('Send the link', { 'E-mail address': 'ada@example.com' })
    await browser.open(await house.linkTo('ada@example.com'))
    await house.world.clock.advance(DAY_MS)
    expect((await browser.press('Create the account', { 'Your name': 'Ada', Password: PASSWORD })).heading).toBe(
      'Page not found',
    )
  })

  test('attempts are limited to ten a minute from one address and for one account', async () => {
    await open({ mail: true, signUp: 'open' })
    await house.account('owner@example.com')
    const statuses: number[][] = [[], []]
    for (let n = 0; n < 11; n += 1) {
      const [same, other] = [house.browser({ from: '10.8.8.8' }), house.browser()]
      await same.open('/sign-up')
      statuses[0]!.push((await same.post('/sign-up', { email: `n${n}@example.com` })).status)
      await other.open('/sign-up')
      statuses[1]!.push((await other.post('/sign-up', { email: 'one@example.com' })).status)
    }
    for (const list of statuses) expect(list).toEqual([...Array<number>(10).fill(303), 429])
    await house.world.clock.advance(MINUTE_MS)
  })
})

describe('by invitation', () => {
  const invited = async (options?: HouseOptions) => {
    await open(options)
    const acme = await house.workspace('Acme')
    const owner = await house.account('owner@example.com', { name: 'Olga' })
    await house.join(owner, acme, 'owner')
    return { acme, link: await house.invite(acme, 'Ada@example.com', owner) }
  }

  test('a new person makes an account for the invited address and is in', async () => {
    const { link } = await invited()
    const browser = house.browser()
    const page = await browser.open(link)
    expect(page.text).toContain('Olga has invited you to join Acme as a member. The invitation is for Ada@example.com.')
    const account = await browser.press('Create an account and join', { 'Your name': 'Ada', Password: PASSWORD })
    expect(account.text).toContain('Acme, of which you are a member')
    expect(account.text).toContain('You sign in as Ada@example.com')
    expect((await house.browser().open(link)).status).toBe(404)
  })

  test('who has an account signs in and says yes', async () => {
    const { link } = await invited()
    await house.account('ada@example.com')
    const browser = house.browser()
    await browser.open(link)
    await browser.follow('Sign in')
    const back = await browser.press('Sign in', { 'E-mail address': 'ada@example.com', Password: PASSWORD })
    expect(back.heading).toBe('You are invited')
    expect((await browser.press('Join Acme')).text).toContain('Acme, of which you are a member')
  })

  test('who is signed in with another address can only sign out, and comes back', async () => {
    const { link } = await invited()
    const browser = await house.signedIn('owner@example.com')
    const page = await browser.open(link)
    expect(page.text).toContain('which is another address')
    expect((await browser.post(link, {})).status).toBe(403)
    await browser.open(link)
    expect((await browser.press('Sign out')).text).toContain('You are new here')
  })

  test('the page says the same whether or not the address has an account', async () => {
    const { link } = await invited()
    const shown = async () => (await house.browser().open(link)).text
    const before = await shown()
    await house.account('ada@example.com')
    expect(await shown()).toBe(before)
  })

  test('an address that got an account meanwhile is told to sign in, and keeps its invitation', async () => {
    const { link } = await invited()
    const browser = house.browser()
    await browser.open(link)
    await house.account('ada@example.com')
    const view = await browser.press('Create an account and join', { 'Your name': 'Ada', Password: PASSWORD })
    expect([view.status, view.text.includes('already has an account')]).toEqual([409, true])
    expect((await browser.open(link)).status).toBe(200)
  })

  test.each([
    ['altered', (link: string) => `${link.slice(0, -4)}AAAA`],
    ['cut', (link: string) => link.slice(0, -10)],
    ['made up', () => '/invitations/v1.AAAA'],
    ['hostile', () => `/invitations/${encodeURIComponent('"><script>alert(1)</script>')}`],
    ['far too long', () => `/invitations/${'A'.repeat(399)}`],
  ])('a link that is %s opens nothing', async (_, change) => {
    const { link } = await invited()
    const browser = house.browser()
    const view = await browser.open(change(link))
    expect([view.status, view.heading, view.html.includes('<script')]).toEqual([404, 'Page not found', false])
    await browser.open('/sign-in')
    for (const path of [change(link), `${change(link)}/sign-up`])
      expect([303, 404]).toContain((await browser.post(path, { name: 'A', password: PASSWORD })).status)
  })

  test('one that is over opens nothing', async () => {
    const { link } = await invited()
    await house.world.clock.advance(2 * DAY_MS)
    expect((await house.browser().open(link)).status).toBe(404)
  })
})
