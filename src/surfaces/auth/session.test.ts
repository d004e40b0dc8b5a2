import { beforeAll, describe, expect, test } from 'vitest'
import { createPerson, type Person } from '../../../test/people.ts'
import { removeMembership } from '../../../test/rows.ts'
import { useResource } from '../../../test/use-world.ts'
import { toId, type Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import { createHouse } from './house.suite.ts'

let acme: Uuid
let person: Person
const house = useResource(createHouse)
beforeAll(async () => {
  acme = await house.workspace('Acme')
  person = await createPerson(house.services, acme, 'admin')
})

interface Opened {
  user: { language: string | null }
  formToken: string
}

const NOBODY = { user: null, workspace: null, formToken: null }
async function ask(headers: Record<string, string>, secret = person.sessionSecret) {
  const reply = await fetch(`${house.origin}/session`, {
    headers: { cookie: `__Host-earshot_session=${secret}`, ...headers },
  })
  return { status: reply.status, headers: reply.headers, body: (await reply.json()) as Record<string, unknown> }
}

describe('what a script of our own page asks first', () => {
  test('says who is signed in, where, and the token with which it may change something', async () => {
    const browser = house.browser({ session: person.sessionSecret })
    const session = (await (await browser.fetch('/session')).json()) as { formToken: string }
    expect(session).toEqual({
      user: { id: toId('user', person.userId), email: person.email, name: 'Person who is admin', language: null },
      workspace: { id: toId('org', acme), name: 'Acme', role: 'admin' },
      formToken: expect.stringMatching(/^[\w-]{43}$/),
    })
    const making = { method: 'POST', body: { name: 'Made by a script' } }
    expect((await browser.fetch('/v1/groups', making)).status).toBe(401)
    expect(
      (await browser.fetch('/v1/groups', { ...making, headers: { 'x-csrf-token': session.formToken } })).status,
    ).toBe(201)
  })

  test('holds the language of the dashboard, which a form chooses', async () => {
    const browser = house.browser({ session: person.sessionSecret })
    const session = async () => (await (await browser.fetch('/session')).json()) as Opened
    const { formToken } = await session()
    const choose = (fields: Record<string, string>) =>
      fetch(`${house.origin}/session/language`, {
        method: 'POST',
        headers: { cookie: `__Host-earshot_session=${person.sessionSecret}`, accept: 'application/json' },
        body: new URLSearchParams(fields),
      })
    expect((await choose({ language: 'de', form_token: formToken })).status).toBe(204)
    expect((await session()).user.language).toBe('de')
    const refused = await choose({ language: 'tlh', form_token: formToken })
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('language: must be en or de')])
    expect((await choose({ form_token: formToken })).status).toBe(400)
    expect((await choose({ language: 'en', form_token: 'another' })).status).toBe(403)
    expect((await session()).user.language).toBe('de')
    expect((await choose({ language: '', form_token: formToken })).status).toBe(204)
    expect((await session()).user.language).toBeNull()
  })

  test('says so when no workspace is chosen, and when nobody is signed in', async () => {
    const other = await createPerson(house.services, acme, 'member')
    await removeMembership(house.services, { userId: other.userId })
    expect((await ask({ 'sec-fetch-site': 'same-origin' }, other.sessionSecret)).body).toMatchObject({
      user: { email: other.email },
      workspace: null,
    })
    await house.services.db.query(sql`delete from user_session where user_id = ${other.userId}`)
    for (const secret of [other.sessionSecret, 'nonsense']) {
      const { status, body } = await ask({ 'sec-fetch-site': 'same-origin' }, secret)
      expect([status, body]).toEqual([200, NOBODY])
    }
  })

  test.each<[string, Record<string, string>, number]>([
    ['a page of ours', { 'sec-fetch-site': 'same-origin' }, 200],
    ['an old browser', {}, 200],
    ['an old browser on a page of ours', { origin: 'https://earshot.test' }, 200],
    ['another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['another site that calls itself ours', { 'sec-fetch-site': 'cross-site', origin: 'https://earshot.test' }, 403],
    ['a neighbour below the same domain', { 'sec-fetch-site': 'same-site' }, 403],
    ['the address bar', { 'sec-fetch-site': 'none' }, 403],
    ['an old browser on another site', { origin: 'https://evil.example' }, 403],
    ['an old browser in a sandbox', { origin: 'null' }, 403],
  ])('from %s is answered as it should be', async (_, headers, expected) => {
    const { status, body } = await ask(headers)
    expect([status, JSON.stringify(body).includes(person.email)]).toEqual([expected, expected === 200])
  })

  test('is kept by nobody and read by no other site', async () => {
    for (const headers of [{ 'sec-fetch-site': 'same-origin' }, { origin: 'https://evil.example' }]) {
      const answer = await ask(headers)
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin')
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
      for (const name of answer.headers.keys()) expect(name).not.toMatch(/^access-control-/)
    }
  })
})
