import axe from 'axe-core'
import { JSDOM } from 'jsdom'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Browser, createBrowser, type View } from '../../../test/browser.ts'
import { createPerson, type Person } from '../../../test/people.ts'
import { changeUser, makeAttentionItem } from '../../../test/rows.ts'
import { toId, type Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import { createHouse, type House, PASSWORD } from './house.suite.ts'

/** What somebody calls themselves, their workspace or their program who wants to be more than text on a page. */
const HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(1)>\'&lt;'

let house: House
let fresh: House
let begun: House
let person: Person
let member: Person
beforeAll(async () => {
  const never = {
    start: () => Promise.reject(new Error('not in this test')),
    finish: () => Promise.reject(new Error('not in this test')),
  }
  fresh = await createHouse()
  begun = await createHouse()
  await begun.workspace('Made by the command line')
  house = await createHouse({ mail: true, signUp: 'open', providers: [{ name: 'google', title: 'Google', ...never }] })
  const [acme, other] = [await house.workspace(`Acme ${HOSTILE}`), await house.workspace('Other')]
  await house.account('ada@example.com', { name: 'Ada' })
  person = await createPerson(house.services, acme, 'owner')
  await house.join(person.userId, other)
  member = await createPerson(house.services, acme, 'member')
  await changeUser(house.services, { id: person.userId }, { name: `Eve ${HOSTILE}` })
  await changeUser(house.services, { id: member.userId }, { name: `Mia ${HOSTILE}` })
  await house.services.db.query(sql`update oauth_client set name = ${`Client ${HOSTILE}`}`)
})
afterAll(async () => {
  await house.close()
  await fresh.close()
  await begun.close()
})

/** Every page, by what somebody does to see it. */
const PAGES: readonly (readonly [string, () => Promise<View>])[] = [
  ['the landing page', () => house.browser().open('/')],
  ['sign-in', () => house.browser().open(`/sign-in?out&next=${encodeURIComponent('/account?<script>')}`)],
  ['sign-in of a fresh installation', () => fresh.browser().open('/sign-in')],
  ['sign-in that failed', () => pressed('/sign-in', 'Sign in', { 'E-mail address': HOSTILE, Password: PASSWORD })],
  ['asking for a link', () => house.browser().open('/sign-in/link?next=/account')],
  ['asking for a link in vain', () => pressed('/sign-in/link', 'Send a link', { 'E-mail address': HOSTILE })],
  ['a mail on its way', () => house.browser().open('/sign-in/link?sent')],
  ['no mail', () => fresh.browser().open('/reset')],
  ['a link for signing in', async () => house.browser().open(await linked('/sign-in/link', 'Send a link'))],
  ['a link that opens nothing', () => house.browser().open(`/sign-in/link/${encodeURIComponent(HOSTILE)}`)],
  ['asking for a new password', () => house.browser().open('/reset')],
  ['choosing a new password', async () => house.browser().open(await linked('/reset', 'Send the link'))],
  [
    'a new password that will not do',
    async () =>
      pressed(await linked('/reset', 'Send the link'), 'Set the password and sign in', { 'New password': 'x' }),
  ],
  ['the first sign-up', () => fresh.browser().open('/sign-up')],
  ['a first sign-up that is for the operator to allow', () => begun.browser().open('/sign-up')],
  ['sign-in where the operator allows the first', () => begun.browser().open('/sign-in')],
  [
    'a first sign-up that will not do',
    () =>
      pressed(
        '/sign-up',
        'Create the account',
        { 'Your name': HOSTILE, 'E-mail address': HOSTILE, Password: 'x', 'Name of your workspace': HOSTILE },
        fresh,
      ),
  ],
  ['an open sign-up', () => house.browser().open('/sign-up')],
  [
    'completing a sign-up',
    async () => house.browser().open(await linked('/sign-up', 'Send the link', 'new@example.com')),
  ],
  ['an invitation', async () => house.browser().open(await invitation('x@example.com'))],
  ['an invitation for who is signed in', async () => visitor().open(await invitation(person.email))],
  ['an invitation for somebody else', async () => visitor().open(await invitation('y@example.com'))],
  ['the choice of a workspace', () => visitor().open('/workspaces')],
  [
    'a workspace that will not do',
    async () => pressed('/workspaces', 'Create the workspace', { Name: '' }, house, visitor()),
  ],
  ['the account', () => visitor().open('/account?saved=name')],
  ['an account that will not do', () => pressed('/account', 'Save the name', { 'Your name': '' }, house, visitor())],
  ['a new password that is set', () => visitor().open('/account?saved=reset')],
  ['a password', () => visitor().open('/account/password?lost')],
  [
    'a password that will not do',
    () => pressed('/account/password', 'Set the password', { 'New password': 'x' }, house, visitor()),
  ],
  [
    'a password that takes another sign-in',
    async () => house.browser({ session: await openedLongAgo() }).open('/account/password?next=/account'),
  ],
  [
    'a link that ends a password',
    async () => house.browser().open(await linked('/sign-in/link', 'Send a link', await unconfirmed())),
  ],
  ['the team', () => invitation('g@example.com').then(() => visitor().open('/team'))],
  ['the team for a member', () => house.browser({ session: member.sessionSecret }).open('/team')],
  [
    'somebody who was invited',
    () => pressed('/team', 'Invite', { 'E-mail address': 'h@example.com' }, house, visitor()),
  ],
  ['an invitation that will not do', () => pressed('/team', 'Invite', { 'E-mail address': HOSTILE }, house, visitor())],
  ['making an owner', () => pressed('/team', `Change the role of Mia ${HOSTILE}`, { Role: 'owner' }, house, visitor())],
  ['removing a member', () => followed('/team', `Remove Mia ${HOSTILE}`, visitor())],
  ['leaving', () => followed('/team', 'Leave the workspace', house.browser({ session: member.sessionSecret }))],
  [
    'what deserves attention, and nothing does',
    () => house.browser({ session: member.sessionSecret }).open('/attention?dismissed'),
  ],
  ['what deserves attention', () => alarmed().then((id) => visitor().open(`/attention?item=${id}`))],
  ['what is no longer open', () => alarmed(true).then((id) => visitor().open(`/attention?item=${id}`))],
  ['a new key', () => pressed('/keys', 'Create the key', { Name: `Key ${HOSTILE}` }, house, visitor())],
  ['the keys', () => visitor().open('/keys?revoked')],
  [
    'a key that will not do',
    () => pressed('/keys', 'Create the key', { Name: '', 'Days until it expires': HOSTILE }, house, visitor()),
  ],
  ['revoking a key', () => followed('/keys', `Revoke Key ${HOSTILE}`, visitor())],
  ['what is not for everybody', () => house.browser({ session: member.sessionSecret }).open('/keys')],
  ['signing out', () => visitor().open('/sign-out')],
  [
    'a form that was not taken',
    async () => (await visitor().open('/account')) && visitor().post('/account/name', { name: 'x' }),
  ],
]

const openedLongAgo = async () => {
  const { userId, sessionSecret } = await createPerson(house.services, await house.workspace('Long ago'), 'member')
  await house.services.db.query(
    sql`update user_session set created_at = created_at - interval '1 hour' where user_id = ${userId}`,
  )
  return sessionSecret
}
const unconfirmed = async () => {
  await house.account('nobody-yet@example.com')
  await changeUser(house.services, { email: 'nobody-yet@example.com' }, { emailConfirmedAt: null })
  return 'nobody-yet@example.com'
}
/** The id of an item about a channel whose name is hostile; it lasts unless told otherwise. */
const alarmed = async (over = false) => {
  const [row] = await house.services.db.query<{ id: Uuid }>(sql`select id from workspace where name like 'Acme%'`)
  const at = house.services.clock.now()
  const data = { channel: { label: `Channel ${HOSTILE}` }, failures: 5, lastError: HOSTILE }
  const item = { kind: 'channel.failing', data, at, resolved: over }
  return toId('att', await makeAttentionItem(house.services, row!.id, item))
}
const visitor = () => house.browser({ session: person.sessionSecret })
const invitation = async (email: string) => {
  const [row] = await house.services.db.query<{ id: never }>(sql`select id from workspace where name like 'Acme%'`)
  return house.invite(row!.id, email, person.userId)
}
async function linked(path: string, button: string, email = 'ada@example.com'): Promise<string> {
  await pressed(path, button, { 'E-mail address': email })
  return house.linkTo(email)
}
async function followed(path: string, link: string, browser: Browser): Promise<View> {
  await browser.open(path)
  return browser.follow(link)
}
async function pressed(
  path: string,
  button: string,
  fields: Record<string, string>,
  where = house,
  browser: Browser = where.browser(),
): Promise<View> {
  await browser.open(path)
  return browser.press(button, fields)
}

describe.each(PAGES)('%s', (_, visit) => {
  test('can be used by everybody, holds nothing hostile and is protected', async () => {
    const view = await visit()
    expect(await problemsIn(view)).toEqual([])
    expect(
      view.document.querySelectorAll(
        'script, img, iframe, object, embed, base, [onerror], [onload], [onclick], [style]',
      ).length,
    ).toBe(0)
    expect(
      [...view.document.querySelectorAll('[href], [action]')].map(
        (element) => element.getAttribute('href') ?? element.getAttribute('action'),
      ),
    ).toSatisfy((places: string[]) => places.every((place) => /^\/(?!\/)/.test(place)))
    expect(view.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^;]+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    )
    expect(view.headers.get('cache-control')).toBe('no-store')
    expect(view.headers.get('referrer-policy')).toBe('same-origin')
    expect(view.headers.get('x-frame-options')).toBe('DENY')
    expect(view.headers.get('access-control-allow-origin')).toBeNull()
    for (const form of view.document.querySelectorAll('form'))
      expect([form.method, form.querySelectorAll('input[name=form_token]').length]).toEqual(['post', 1])
    for (const field of view.document.querySelectorAll('input:not([type=hidden], [type=radio], [type=checkbox])'))
      expect(field.getAttribute('autocomplete')).toMatch(/^[a-z-]+$/)
    for (const field of view.document.querySelectorAll('input[type=password]'))
      expect(field.getAttribute('value')).toBe('')
  })
})

test('names that are hostile are shown as they are, each where it belongs', async () => {
  expect((await visitor().open('/account')).text).toContain(`Client ${HOSTILE} reads and changes Acme ${HOSTILE}`)
  expect((await visitor().open('/workspaces')).text).toContain(`Acme ${HOSTILE} owner`)
  expect((await visitor().open('/team')).text).toContain(`Mia ${HOSTILE} member`)
  await pressed('/keys', 'Create the key', { Name: `Report ${HOSTILE}` }, house, visitor())
  expect((await visitor().open('/keys')).text).toContain(`Report ${HOSTILE} reads`)
  expect((await house.browser().open(await invitation('z@example.com'))).text).toContain(
    `Eve ${HOSTILE} has invited you to join Acme ${HOSTILE} as a member`,
  )
})

test('a defect is a page that gives nothing away but the id of the request', async () => {
  const broken = await createHouse()
  const browser = createBrowser(broken)
  await browser.open('/sign-in')
  await broken.world.admin(
    'alter table user_account alter column email_folded type integer using hashtext(email_folded)',
  )
  const view = await browser.post('/sign-in', { email: 'ada@example.com', password: PASSWORD })
  expect([view.status, view.heading]).toEqual([500, 'Something went wrong'])
  expect(view.text).toContain(view.headers.get('x-request-id'))
  expect(view.text).not.toContain('user_account')
  expect(await problemsIn(view)).toEqual([])
  await broken.close()
})

test('the rules that pages are held to are not blind', async () => {
  const view = await house.browser().open('/sign-in')
  const html = view.html.replace('<label for="email">', '<label>').replace('lang="en"', '')
  expect((await problemsIn({ ...view, html })).map((problem) => problem.split(':')[0])).toEqual([
    'html-has-lang',
    'label',
  ])
})

/** What the rules of WCAG find in a page. Contrast cannot be seen here: the palette has a test of its own. */
async function problemsIn({ html, address }: View): Promise<string[]> {
  const { window } = new JSDOM(html, { url: address, runScripts: 'outside-only' })
  // The rules look for icons in letters by drawing them, which this browser cannot.
  window.HTMLCanvasElement.prototype.getContext = () => null
  window.eval(axe.source)
  const { violations } = await window.axe.run(window.document, { rules: { 'color-contrast': { enabled: false } } })
  return violations.map(
    ({ id, nodes }: { id: string; nodes: { html: string }[] }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`,
  )
}
