import { beforeAll, describe, expect, test } from 'vitest'
import { createPerson } from '../../../test/people.ts'
import { removeMembership } from '../../../test/rows.ts'
import { useResource } from '../../../test/use-world.ts'
import { MINUTE_MS } from '../../kernel/clock.ts'
import { toId, type Uuid } from '../../kernel/ids.ts'
import { createHouse, PASSWORD } from './house.suite.ts'

let acme: Uuid
const house = useResource(createHouse)
beforeAll(async () => {
  acme = await house.workspace('Acme')
  await house.join(await house.account('ada@example.com'), acme, 'owner')
})

describe('the account', () => {
  test('can be given another name, which has to be one', async () => {
    const browser = await house.signedIn('ada@example.com')
    expect(
      (await browser.press('Save the name', { 'Your name': '' })).document.querySelector('#name-wrong').textContent,
    ).toBe('Must not be empty.')
    const saved = await browser.press('Save the name', { 'Your name': 'Ada Lovelace' })
    expect([saved.address, saved.document.querySelector('#name').value]).toEqual([
      'https://earshot.test/account?saved=name',
      'Ada Lovelace',
    ])
  })

  test('can be given a language of the dashboard', async () => {
    const browser = await house.signedIn('ada@example.com')
    const saved = await browser.press('Save the language', { 'Language of the dashboard': 'de' })
    expect(saved.text).toContain('The language of the dashboard is saved.')
    expect(saved.document.querySelector('#account-language').value).toBe('de')
  })

  test('can be given another password with the one until now; other browsers are signed out', async () => {
    await house.join(await house.account('bob@example.com'), acme)
    const [browser, elsewhere] = [await house.signedIn('bob@example.com'), await house.signedIn('bob@example.com')]
    const wrong = await browser.press('Set the password', {
      'Current password': 'no',
      'New password': 'a heron on the roof',
    })
    expect([wrong.status, wrong.document.querySelector('#current-wrong').textContent]).toEqual([
      400,
      'Is not your password.',
    ])
    expect(
      (
        await browser.press('Set the password', {
          'Current password': PASSWORD,
          'New password': 'a heron on the roof',
        })
      ).text,
    ).toContain('Your password is set.')
    expect((await elsewhere.open('/account')).heading).toBe('Sign in')
    expect((await browser.open('/account')).heading).toBe('Your account')
  })

  test('a password cannot be guessed at here either: ten attempts a minute', async () => {
    await house.join(await house.account('joe@example.com'), acme)
    await house.world.clock.advance(MINUTE_MS)
    const browser = await house.signedIn('joe@example.com')
    const statuses = []
    for (let n = 0; n < 11; n += 1)
      statuses.push(
        (await browser.post('/account/password', { current: `guess ${n}`, new: 'a heron on the roof' })).status,
      )
    expect(statuses).toEqual([...Array<number>(10).fill(400), 429])
    expect((await house.signedIn('joe@example.com')).view.heading).toBe('Your account')
  })

  test('without a password sets its first one without giving one', async () => {
    const person = await createPerson(house.services, acme, 'member')
    const browser = house.browser({ session: person.sessionSecret })
    await browser.open('/account')
    expect(browser.view.text).not.toContain('Current password')
    expect((await browser.press('Set the password', { 'New password': 'a heron on the roof' })).text).toContain(
      'Your password is set.',
    )
  })

  test('without a password sets none in a browser that was left open for a quarter of an hour', async () => {
    const person = await createPerson(house.services, acme, 'member')
    const browser = house.browser({ session: person.sessionSecret })
    await browser.open('/account')
    await house.world.clock.advance(15 * MINUTE_MS)
    expect((await browser.press('Set the password', { 'New password': 'a heron on the roof' })).status).toBe(403)
    for (const page of ['/account', '/account/password']) {
      const { text } = await browser.open(page)
      expect([text.includes('ask the operator of this installation'), text.includes('New password')]).toEqual([
        true,
        false,
      ])
    }
  })

  test('disconnects apps with a new password, unless that was taken back', async () => {
    for (const [choice, left] of [
      ['yes', 0],
      ['', 1],
    ] as const) {
      const person = await createPerson(house.services, acme, 'member')
      const browser = house.browser({ session: person.sessionSecret })
      await browser.open('/account/password')
      const fields = { 'New password': 'a heron on the roof', ...(choice === '' ? { 'Also disconnect apps': '' } : {}) }
      expect((await browser.press('Set the password', fields)).heading).toBe('Your account')
      expect(browser.view.document.querySelectorAll('section[aria-labelledby=apps] li').length).toBe(left)
    }
  })

  test('lists connected apps, each of which can be disconnected, and is the only one who can', async () => {
    const [person, other] = [
      await createPerson(house.services, acme, 'member'),
      await createPerson(house.services, acme, 'owner'),
    ]
    const browser = house.browser({ session: person.sessionSecret })
    expect((await browser.open('/account')).text).toContain('A client reads and changes Acme')
    const stranger = house.browser({ session: other.sessionSecret })
    await stranger.open('/account')
    expect((await stranger.post('/account/apps', { app: person.grantId })).status).toBe(404)
    const whoami = () => fetch(`${house.origin}/v1/whoami`, { headers: { authorization: `Bearer ${person.token}` } })
    expect((await whoami()).status).toBe(200)
    const after = await browser.press('Disconnect A client from Acme')
    expect([after.text.includes('The app is disconnected.'), after.text.includes('None yet.')]).toEqual([true, true])
    expect((await whoami()).status).toBe(401)
    expect((await browser.post('/account/apps', { app: person.grantId })).status).toBe(404)
    expect((await browser.post('/account/apps', { app: "' or 1=1" })).status).toBe(404)
  })

  test('can sign out everywhere at once', async () => {
    await house.join(await house.account('eve@example.com'), acme)
    const [first, second] = [await house.signedIn('eve@example.com'), await house.signedIn('eve@example.com')]
    expect((await first.press('Sign out everywhere')).text).toContain('You are signed out.')
    expect((await second.open('/account')).heading).toBe('Sign in')
  })

  test.each([
    [{}, 401],
    [{ 'Also disconnect apps': '' }, 200],
  ])('signing out everywhere with %j answers apps %i afterwards', async (fields, status) => {
    const person = await createPerson(house.services, acme, 'member')
    const browser = house.browser({ session: person.sessionSecret })
    await browser.open('/account')
    await browser.press('Sign out everywhere', fields)
    expect(
      (await fetch(`${house.origin}/v1/whoami`, { headers: { authorization: `Bearer ${person.token}` } })).status,
    ).toBe(status)
  })

  test('of somebody who was removed from the workspace says that none is chosen', async () => {
    const person = await createPerson(house.services, acme, 'member')
    await removeMembership(house.services, { workspaceId: acme, userId: person.userId })
    const browser = house.browser({ session: person.sessionSecret })
    expect((await browser.open('/account')).text).toContain('None is chosen.')
  })

  test('of a session that was not used for thirty days is closed, and of one that is used stays open', async () => {
    const [idle, used] = [
      await createPerson(house.services, acme, 'member'),
      await createPerson(house.services, acme, 'member'),
    ]
    const browser = house.browser({ session: used.sessionSecret })
    for (let week = 0; week < 6; week += 1) {
      await house.world.clock.advance(7 * 24 * 60 * MINUTE_MS)
      expect((await browser.open('/account')).heading).toBe('Your account')
    }
    expect((await house.browser({ session: idle.sessionSecret }).open('/account')).heading).toBe('Sign in')
  })
})

describe('workspaces', () => {
  test('that a person does not belong to cannot be chosen, known or not', async () => {
    const person = await createPerson(house.services, acme, 'owner')
    const foreign = await house.workspace('Foreign')
    const browser = house.browser({ session: person.sessionSecret })
    await browser.open('/workspaces')
    for (const workspace of [toId('org', foreign), 'org_00000000000000000000000000', 'Foreign', '', foreign])
      expect((await browser.post('/workspaces', { workspace })).status).toBe(404)
    expect((await browser.open('/account')).text).toContain('Acme, of which you are an owner')
  })

  test('can be made, and going on to where somebody was sent from works', async () => {
    const person = await createPerson(house.services, acme, 'member')
    const browser = house.browser({ session: person.sessionSecret })
    await browser.open('/workspaces?next=/account?x=1')
    const wrong = await browser.press('Create the workspace', { Name: '' })
    expect([wrong.status, wrong.document.querySelector('#name-wrong').textContent]).toEqual([400, 'Must not be empty.'])
    expect((await browser.press('Create the workspace', { Name: 'Mine' })).address).toBe(
      'https://earshot.test/account?x=1',
    )
    expect(browser.view.text).toContain('Mine, of which you are an owner')
    await browser.open('/workspaces')
    expect((await browser.press('Use this workspace', { 'Your workspaces': 'Acme' })).text).toContain(
      'Acme, of which you are a member',
    )
  })
})

describe('who is not signed in', () => {
  test.each(['/account', '/account/password', '/workspaces'])(
    'is asked to sign in before %s is shown',
    async (path) => {
      expect((await house.browser().open(path)).address).toBe(
        `https://earshot.test/sign-in?next=${encodeURIComponent(path)}`,
      )
    },
  )

  test.each([
    '/account/name',
    '/account/password',
    '/account/apps',
    '/workspaces',
    '/workspaces/new',
    '/sign-out/everywhere',
  ])('changes nothing at %s', async (path) => {
    const browser = house.browser()
    await browser.open('/sign-in')
    const { status, headers } = await browser.post(path, {
      name: 'Eve',
      new: 'a heron on the roof',
      workspace: toId('org', acme),
    })
    expect([status, headers.get('location')]).toEqual([303, '/sign-in'])
  })
})
