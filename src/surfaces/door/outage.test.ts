import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Browser } from '../../../test/browser.ts'
import { useResource } from '../../../test/use-world.ts'
import { newSecret } from '../../kernel/secrets.ts'
import { sql } from '../../store/database.ts'
import { createBuilding, HOOK_SECRET } from './building.suite.ts'

const building = useResource(() => createBuilding(2))

describe('a message of a provider', () => {
  const bounce = (email: string) =>
    building.ask('/hooks/email', {
      method: 'POST',
      headers: { authorization: `Bearer ${HOOK_SECRET}`, 'content-type': 'application/json' },
      body: JSON.stringify({ events: [{ type: 'bounce', email, permanent: true }] }),
    })
  const suppressedIn = (at: number, email: string) =>
    building.rooms[at]!.world.db.query(sql`select 1 from email_suppression where email = ${email}`)

  test('about mail is taken by every cell', async () => {
    expect((await bounce('gone@example.com')).status).toBe(200)
    for (const at of [0, 1]) expect(await suppressedIn(at, 'gone@example.com')).toHaveLength(1)
  })

  test('must come again while a cell is down', async () => {
    await building.rooms[1]!.stop()
    expect((await bounce('later@example.com')).status).toBe(503)
    expect(await suppressedIn(0, 'later@example.com')).toHaveLength(1)
    await building.rooms[1]!.start()
    await building.back(1)
    expect((await bounce('later@example.com')).status).toBe(200)
    expect(await suppressedIn(1, 'later@example.com')).toHaveLength(1)
  })

  test('that nobody signed is refused', async () => {
    const reply = await building.ask('/hooks/email', { method: 'POST', body: '{}' })
    expect([reply.status, await reply.json()]).toMatchObject([401, { error: { code: 'invalid_signature' } }])
  })
})

describe('while a cell is down', () => {
  let stranger: string
  let signedIn: Browser[]
  beforeAll(async () => {
    stranger = newSecret('ref').text
    signedIn = [await building.signIn('person-0@example.com'), await building.signIn('person-1@example.com')]
    await building.rooms[1]!.stop()
  })
  afterAll(async () => {
    await building.rooms[1]!.start()
    await building.back(1)
  })

  test('its own workspaces are unavailable, and callers are told to try again', async () => {
    const reply = await building.withKey(building.workspaces[1]!.writeKey)
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await reply.json()).toMatchObject({ error: { code: 'cell_unavailable', retryAfterSeconds: 5 } })
    const page = await signedIn[1]!.open('/account')
    expect([page.status, page.heading]).toEqual([503, 'Not available right now'])
  })

  test('the other workspaces notice nothing', async () => {
    expect((await building.withKey(building.workspaces[0]!.writeKey)).status).toBe(200)
    expect((await signedIn[0]!.open('/account')).status).toBe(200)
    expect((await building.signIn('person-0@example.com')).cookies.get('__Host-earshot_cell')).toBe('cell-0')
    for (const path of ['/sign-in', '/docs/', '/v1/openapi.json', '/guide'])
      expect((await building.ask(path)).status).toBe(200)
  })

  test('an unknown key is not called wrong', async () => {
    expect((await building.withKey(stranger)).status).toBe(503)
    expect((await building.withKey('ref_malformed')).status).toBe(401)
  })

  test('a person of the cell is not called unknown', async () => {
    const browser = await building.signIn('person-1@example.com')
    expect([browser.view.status, browser.view.heading]).toEqual([503, 'Not available right now'])
  })

  test('the door says so', async () => {
    const reply = await building.ask('/health')
    expect([reply.status, await reply.json()]).toEqual([200, { status: 'degraded', version: expect.any(String) }])
    expect((await building.ask('/metrics')).status).toBe(404)
    expect((await building.ask('/v1/health')).status).toBe(200)
  })

  test('and afterwards everything works again', async () => {
    await building.rooms[1]!.start()
    await building.back(1)
    expect((await building.withKey(building.workspaces[1]!.writeKey)).status).toBe(200)
    expect((await building.withKey(stranger)).status).toBe(401)
    expect((await signedIn[1]!.open('/account')).status).toBe(200)
    await building.rooms[1]!.stop()
  })
})
