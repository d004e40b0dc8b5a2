import { beforeEach, describe, expect, test } from 'vitest'
import type { Browser, View } from '../../../test/browser.ts'
import { createPerson, type Person } from '../../../test/people.ts'
import { useResource } from '../../../test/use-world.ts'
import { createApiKey } from '../../commands/api-keys/create-api-key.ts'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { DAY_MS, dayOf, plus } from '../../kernel/clock.ts'
import { fromId, toId, type Uuid } from '../../kernel/ids.ts'
import { listApiKeys } from '../../queries/api-keys.ts'
import { createHouse } from './house.suite.ts'

let acme: Uuid
let owner: Person
const house = useResource(createHouse)
beforeEach(async () => {
  acme = await house.workspace('Acme')
  owner = await createPerson(house.services, acme, 'owner')
})

async function at(person: Person, path = '/keys'): Promise<Browser> {
  const browser = house.browser({ session: person.sessionSecret })
  await browser.open(path)
  return browser
}

function send(browser: Browser, path: string, fields: Record<string, string> = {}, headers?: Record<string, string>) {
  return browser.post(path, { workspace: toId('org', acme), ...fields }, headers)
}

function keys(workspaceId = acme) {
  return listApiKeys({ ...house.services, workspaceId })
}

async function key(
  name: string,
  { scope = 'read', expiresAt = null }: { scope?: 'read' | 'write'; expiresAt?: Date | null } = {},
  workspaceId = acme,
) {
  const made = await createApiKey({ ...house.services, workspaceId }, { name, scope, expiresAt })
  if (isRefusal(made)) throw new Error(made.message)
  return made
}

function whoami(secret: string): Promise<Response> {
  return fetch(`${house.origin}/v1/whoami`, { headers: { authorization: `Bearer ${secret}` } })
}

const secretIn = (view: View): string => view.document.querySelector('code.copy').textContent

describe('a key', () => {
  test('that is made is shown once, in the answer to the form, and works', async () => {
    const browser = await at(owner)
    const view = await browser.press('Create the key', {
      Name: '  Nightly   report ',
      Scope: 'Read and write',
    })
    expect([view.status, view.heading, view.address]).toEqual([200, 'Your new key', 'https://earshot.test/keys'])
    expect(view.headers.get('cache-control')).toBe('no-store')
    const secret = secretIn(view)
    expect(secret).toMatch(/^ref_/)
    expect([(await whoami(secret)).status, (await keys())[0]!.scope]).toEqual([200, 'write'])
    const after = await browser.follow('I have copied it')
    expect(after.html).not.toContain(secret)
    expect(after.text).toContain(`Nightly report reads and changes ${secret.slice(0, 10)}…`)
    expect(JSON.stringify(house.logged)).not.toContain(secret)
  })

  test('may only read unless more is chosen, and does not end', async () => {
    const secret = secretIn(await (await at(owner)).press('Create the key', { Name: 'Reader' }))
    expect((await keys())[0]).toMatchObject({ scope: 'read', expiresAt: null, prefix: secret.slice(0, 10) })
  })

  test('ends after as many days as were given', async () => {
    await (await at(owner)).press('Create the key', { Name: 'Brief', 'Days until it expires': ' 30 ' })
    expect((await keys())[0]!.expiresAt).toBe(plus(house.services.clock.now(), 30 * DAY_MS).toISOString())
  })

  test('is listed with when it was last used and when it ends', async () => {
    const now = house.services.clock.now()
    await key('Old', { expiresAt: plus(now, DAY_MS) })
    await key('New', { expiresAt: plus(now, 9 * DAY_MS) })
    await whoami((await key('Used', { scope: 'write' })).key)
    await house.world.clock.advance(2 * DAY_MS)
    const rows = [...(await at(owner)).view.document.querySelectorAll('.rows li')].map((row) =>
      row.textContent.replace(/\s+/g, ' '),
    )
    expect(rows[0]).toContain(`never used, ended ${dayOf(plus(now, DAY_MS))}`)
    expect(rows[1]).toContain(`never used, ends ${dayOf(plus(now, 9 * DAY_MS))}`)
    expect(rows[2]).toContain(`last used ${dayOf(now)}, does not end`)
  })

  test('can be revoked after a second question, and is dead at once', async () => {
    const { key: secret } = await key('Lost')
    const browser = await at(owner)
    const asked = await browser.follow('Revoke Lost')
    expect([asked.heading, asked.text.includes(secret.slice(0, 10)), (await whoami(secret)).status]).toEqual([
      'Revoke a key?',
      true,
      200,
    ])
    expect((await browser.press('Revoke Lost')).text).toContain('The key is revoked.')
    expect([(await whoami(secret)).status, await keys()]).toEqual([401, []])
  })

  test.each([
    [{ Name: '' }, 'name', 'Must not be empty.'],
    [{ Name: ' \t ' }, 'name', 'Must not be empty.'],
    [{ Name: 'x'.repeat(81) }, 'name', 'Must have at most 80 characters.'],
    [{ Name: 'x', 'Days until it expires': '0' }, 'days', 'Must be a whole number from 1 to 3650, or empty.'],
    [{ Name: 'x', 'Days until it expires': '-1' }, 'days', 'Must be a whole number from 1 to 3650, or empty.'],
    [{ Name: 'x', 'Days until it expires': '1e3' }, 'days', 'Must be a whole number from 1 to 3650, or empty.'],
    [{ Name: 'x', 'Days until it expires': '3651' }, 'days', 'Must be a whole number from 1 to 3650, or empty.'],
    [
      { Name: 'x', 'Days until it expires': '999999999999' },
      'days',
      'Must be a whole number from 1 to 3650, or empty.',
    ],
  ])('of %j is not made: what is wrong stands beside the field', async (fields, name, problem) => {
    const view = await (await at(owner)).press('Create the key', { ...fields, Scope: 'Read and write' })
    expect([view.status, view.document.querySelector(`#${name}-wrong`).textContent]).toEqual([400, problem])
    expect(view.document.querySelector('[name=scope][value=write]').checked).toBe(true)
    expect(view.document.querySelector('#name').value).toBe(fields.Name)
    expect(await keys()).toEqual([])
  })

  test.each(['', 'admin', 'WRITE'])('that may do %j is not made', async (scope) => {
    const view = await send(await at(owner), '/keys', { name: 'x', scope })
    expect([view.status, view.document.querySelector('#scope-wrong').textContent]).toEqual([400, 'Choose one of them.'])
    expect(await keys()).toEqual([])
  })

  test('beyond the hundredth is refused', async () => {
    for (let n = 0; n < 100; n += 1) await key(`Key ${n}`)
    const view = await (await at(owner)).press('Create the key', { Name: 'One more' })
    expect([view.status, view.text.includes('The workspace has 100 unrevoked API keys.')]).toEqual([409, true])
  })
})

describe('who may not', () => {
  test.each(['admin', 'member'] as const)('as %s sees no key, makes none and revokes none', async (role) => {
    const { id } = await key('Nightly')
    const browser = await at(await createPerson(house.services, acme, role), '/team')
    await browser.open(`/account`)
    const answers = [
      await send(browser, '/keys', { name: 'Mine', scope: 'write' }),
      await send(browser, `/keys/${id}/revoke`),
      await browser.open(`/keys/${id}/revoke`),
      await browser.open('/keys'),
    ]
    for (const view of answers) {
      expect([view.status, view.heading, view.text.includes('Only owners manage API keys.')]).toEqual([
        403,
        'Not possible',
        true,
      ])
      expect(view.html).not.toContain('Nightly')
    }
    expect((await keys()).map(({ name }) => name)).toEqual(['Nightly'])
  })

  test('as somebody who was an owner when the page was shown', async () => {
    const browser = await at(owner)
    await house.world.admin(`update membership set role = 'admin' where workspace_id = '${acme}'`)
    expect((await browser.press('Create the key', { Name: 'Mine' })).status).toBe(403)
    expect(await keys()).toEqual([])
  })

  test('in one workspace finds no key of another', async () => {
    const second = await house.workspace('Other')
    const { id, key: secret } = await key('Theirs', {}, second)
    const browser = await at(owner)
    for (const first of [id, 'key_00000000000000000000000000', toId('mem', fromId('key', id)!), 'x', "'--"]) {
      expect((await send(browser, `/keys/${encodeURIComponent(first)}/revoke`)).status).toBe(404)
      expect((await browser.open(`/keys/${encodeURIComponent(first)}/revoke`)).status).toBe(404)
      await browser.open('/keys')
    }
    expect((await whoami(secret)).status).toBe(200)
  })

  test('by a page of somebody else, or by a form without its token, has sent nothing', async () => {
    const { id } = await key('Nightly')
    const browser = await at(owner)
    const wanted = { name: 'Mine', scope: 'write' }
    expect((await send(browser, '/keys', { ...wanted, form_token: 'x' })).status).toBe(403)
    expect(
      (await send(browser, '/keys', wanted, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })).status,
    ).toBe(403)
    expect((await send(browser, `/keys/${id}/revoke`, { form_token: '' })).status).toBe(403)
    expect((await keys()).map(({ name }) => name)).toEqual(['Nightly'])
  })

  test('as an owner of two workspaces makes a key for the one that the page was about, or none', async () => {
    const other = await house.workspace('Other')
    await house.join(owner.userId, other, 'owner')
    const browser = await at(owner)
    await (await at(owner, '/workspaces')).press('Use this workspace', { 'Your workspaces': 'Other' })
    expect((await browser.press('Create the key', { Name: 'Mine' })).status).toBe(409)
    expect([await keys(), await keys(other)]).toEqual([[], []])
  })

  test('as somebody who has not signed in', async () => {
    const browser = house.browser()
    expect((await browser.open('/keys')).address).toBe('https://earshot.test/sign-in?next=%2Fkeys')
    const { status, headers } = await send(browser, '/keys', { name: 'Mine', scope: 'write' })
    expect([status, headers.get('location')]).toEqual([303, '/sign-in'])
    expect(await keys()).toEqual([])
  })
})
