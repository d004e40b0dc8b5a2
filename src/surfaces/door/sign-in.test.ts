import { describe, expect, test } from 'vitest'
import type { Browser } from '../../../test/browser.ts'
import { useResource } from '../../../test/use-world.ts'
import { sql } from '../../store/database.ts'
import { addressFor, exchangeOf, REDIRECT_URI, refreshOf } from '../oauth/dance.suite.ts'
import { createBuilding, PASSWORD } from './building.suite.ts'

const building = useResource(() => createBuilding(2))

describe('a browser', () => {
  test.each([0, 1])('signs in to cell %i and works there', async (at) => {
    const browser = await building.signIn(`person-${at}@example.com`)
    expect(browser.view.status).toBe(200)
    const session = (await (await browser.fetch('/session')).json()) as { user: { name: string } }
    expect(session.user.name).toBe(`Person of cell ${at}`)
    expect(browser.cookies.get('__Host-earshot_cell')).toBe(`cell-${at}`)
    await browser.open('/workspaces')
    expect(browser.view.text).toContain(`Workspace ${at}`)
    await browser.open('/sign-out')
    await browser.press('Sign out')
    expect(browser.view.text).toContain('You are signed out')
  })

  test('with a wrong password is not signed in', async () => {
    for (const email of ['person-1@example.com', 'both@example.com', 'nobody@example.com']) {
      const browser = await building.signIn(email, 'wrong password')
      expect([browser.view.status, browser.cookies.has('__Host-earshot_session')]).toEqual([401, false])
    }
  })

  test('of a person in two cells gets the cell that it used last, or names one', async () => {
    const cellOf = (browser: Browser) => browser.cookies.get('__Host-earshot_cell')
    expect(cellOf(await building.signIn('both@example.com'))).toBe('cell-0')
    const browser = building.browser()
    await browser.open('/sign-in?cell=cell-1')
    await browser.press('Sign in', { 'E-mail address': 'both@example.com', Password: PASSWORD })
    expect(cellOf(browser)).toBe('cell-1')
    await browser.open('/sign-out')
    await browser.press('Sign out')
    await browser.press('Sign in', { 'E-mail address': 'both@example.com', Password: PASSWORD })
    expect(cellOf(browser)).toBe('cell-1')
  })

  test('tries the other cell when the password is that of the other account', async () => {
    const { world } = building.rooms[0]!
    await world.db.query(sql`update user_account set password_hash = null where email_folded = 'both@example.com'`)
    expect((await building.signIn('both@example.com')).cookies.get('__Host-earshot_cell')).toBe('cell-1')
  })
})

describe('an app', () => {
  test('registers once and serves people of every cell', async () => {
    const registered = await building.ask('/oauth/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_name: 'Robot', redirect_uris: [REDIRECT_URI], token_endpoint_auth_method: 'none' }),
    })
    const { client_id: clientId } = (await registered.json()) as { client_id: string }
    for (const [at, { orgId }] of building.workspaces.entries()) {
      const browser = building.browser()
      await browser.open(addressFor({ id: clientId }))
      await browser.press('Sign in', { 'E-mail address': `person-${at}@example.com`, Password: PASSWORD })
      expect(browser.view.text).toContain('Robot')
      const { leftFor } = await browser.press('Allow', { Workspace: `Workspace ${at}` })
      const code = new URL(leftFor!).searchParams.get('code')!
      const token = await post('/oauth/token', exchangeOf({ id: clientId }, code))
      expect(token).toMatchObject({ token_type: 'Bearer' })
      expect(await (await building.withKey(token.access_token!)).json()).toMatchObject({ workspace: { id: orgId } })
      const renewed = await post('/oauth/token', refreshOf({ id: clientId }, token.refresh_token!))
      expect((await building.withKey(renewed.access_token!)).status).toBe(200)
      await post('/oauth/revoke', { client_id: clientId, token: renewed.refresh_token! })
      expect((await building.withKey(renewed.access_token!)).status).toBe(401)
    }
  })

  test('learns the same addresses from every cell', async () => {
    const metadata = await (await building.ask('/.well-known/oauth-authorization-server')).json()
    expect(metadata).toMatchObject({ issuer: 'https://earshot.test' })
  })

  async function post(path: string, fields: Record<string, string>): Promise<Record<string, string>> {
    const reply = await building.ask(path, { method: 'POST', body: new URLSearchParams(fields) })
    return (await reply.json()) as Record<string, string>
  }
})
