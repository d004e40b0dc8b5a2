import { beforeAll, describe, expect, test } from 'vitest'
import { openRaw } from '../../../test/raw.ts'
import { until } from '../../../test/until.ts'
import { useResource } from '../../../test/use-world.ts'
import { secretOf } from '../../kernel/secrets.ts'
import { sql } from '../../store/database.ts'
import { BODY_MS } from '../http/body.ts'
import { createHouse, PASSWORD } from './house.suite.ts'

const house = useResource(createHouse)
beforeAll(async () => {
  await house.join(await house.account('ada@example.com'), await house.workspace('Acme'), 'owner')
})

const ENTERED = { email: 'ada@example.com', password: PASSWORD }

describe('a form', () => {
  test.each([
    ['of another site', { origin: 'https://evil.example' }],
    ['of nobody, as a page in a sandbox says', { origin: 'null' }],
    ['of another site, as the browser says', { 'sec-fetch-site': 'cross-site' }],
    ['of a neighbour below the same domain', { 'sec-fetch-site': 'same-site' }],
  ])('%s is not taken, token or not', async (_, headers) => {
    const browser = house.browser()
    await browser.open('/sign-in')
    const { status, headers: answered, text } = await browser.post('/sign-in', ENTERED, headers)
    expect([status, answered.getSetCookie()]).toEqual([403, []])
    expect(text).toContain('Not possible')
  })

  test.each([
    ['no', {}],
    ['an empty', { form_token: '' }],
    ['a wrong', { form_token: 'A'.repeat(43) }],
    ['a long', { form_token: 'A'.repeat(9000) }],
    ['a foreign', { form_token: '\u{1f600}'.repeat(11) }],
  ])('with %s token is not taken', async (_, token) => {
    const browser = house.browser()
    await browser.open('/')
    await browser.open('/sign-out')
    await browser.open('/')
    const { status, headers } = await browser.post('/sign-in', { ...ENTERED, ...token })
    expect([status, headers.getSetCookie()]).toEqual([403, []])
  })

  test('with the token of another browser is not taken', async () => {
    const [mine, yours] = [house.browser(), house.browser()]
    await mine.open('/sign-in')
    await yours.open('/sign-in')
    const token = yours.view.document.querySelector('input[name=form_token]').value
    expect((await mine.post('/sign-in', { ...ENTERED, form_token: token })).status).toBe(403)
    await mine.open('/sign-in')
    expect((await mine.post('/sign-in', ENTERED)).status).toBe(303)
  })

  test('that was shown before signing in is good for nothing after', async () => {
    const browser = house.browser()
    await browser.open('/sign-in')
    const token = browser.view.document.querySelector('input[name=form_token]').value
    await browser.press('Sign in', { 'E-mail address': ENTERED.email, Password: PASSWORD })
    expect((await browser.post('/account/name', { name: 'Eve', form_token: token })).status).toBe(403)
    expect((await browser.post('/account/name', { name: 'Ada' })).status).toBe(303)
  })

  test('from a browser without cookies is told what to do', async () => {
    const browser = house.browser()
    await browser.open('/sign-in')
    ;(browser.cookies as Map<string, string>).clear()
    expect((await browser.post('/sign-in', ENTERED)).text).toContain('blocks cookies')
  })

  test.each([
    ['application/json', 415],
    ['multipart/form-data; boundary=x', 415],
    ['text/plain', 415],
    ['nonsense', 415],
    ['application/x-www-form-urlencoded; charset=utf-16', 415],
  ])('sent as %s is refused with a page', async (type, status) => {
    const browser = house.browser()
    await browser.open('/sign-in')
    const answer = await browser.post('/sign-in', ENTERED, { 'content-type': type })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8'])
  })

  test('of more than 16 KiB is refused, and one below is read', async () => {
    const browser = house.browser()
    await browser.open('/sign-in')
    expect((await browser.post('/sign-in', { ...ENTERED, more: 'x'.repeat(16 * 1024) })).status).toBe(413)
    expect((await browser.post('/sign-in', { ...ENTERED, more: 'x'.repeat(15 * 1024) })).status).toBe(303)
  })
})

describe('a form that drips', () => {
  test('is given up five seconds after it began, with a page', async () => {
    const { clock } = house.world
    const before = clock.waits
    const connection = await openRaw(Number(new URL(house.origin).port))
    connection.write(
      'POST /sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\n',
    )
    await until(() => clock.waits > before)
    for (let drop = 0; drop < 5; drop += 1) {
      connection.write('x')
      await clock.advance(BODY_MS / 5)
    }
    const answer = await connection.answer()
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('connection')]).toEqual([
      408,
      'text/html; charset=utf-8',
      'close',
    ])
    await connection.closed
  })
})

describe('a session', () => {
  const line = (lines: string[], use: string) => lines.find((line) => line.includes(`earshot_${use}=`))!

  test('over https is kept by the browser for this host only, unread by scripts', async () => {
    const browser = house.browser()
    const form = line((await browser.open('/sign-in')).headers.getSetCookie(), 'form')
    expect(form).toMatch(/^__Host-earshot_form=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/)
    const { headers } = await browser.post('/sign-in', ENTERED)
    expect(line(headers.getSetCookie(), 'session')).toMatch(
      /^__Host-earshot_session=ses_[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=34560000$/,
    )
  })

  test('over http has a cookie that browsers keep there', async () => {
    const plain = await createHouse({ publicUrl: 'http://localhost:4400' })
    await plain.account('ada@example.com')
    const browser = plain.browser()
    await browser.open('/sign-in')
    const { headers } = await browser.post('/sign-in', ENTERED)
    expect(line(headers.getSetCookie(), 'session')).toMatch(
      /^earshot_session=ses_[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=34560000$/,
    )
    await plain.close()
  })

  test('is a new one at every sign-in, whatever the browser brought along, and the one before is over', async () => {
    const planted = `ses_${'A'.repeat(43)}`
    const browser = house.browser({ session: planted })
    await browser.open('/sign-in')
    await browser.press('Sign in', { 'E-mail address': ENTERED.email, Password: PASSWORD })
    const first = browser.cookies.get('__Host-earshot_session')!
    expect(first).not.toBe(planted)
    expect((await browser.post('/sign-in', ENTERED)).status).toBe(303)
    const second = browser.cookies.get('__Host-earshot_session')!
    expect(second).not.toBe(first)
    expect((await house.browser({ session: first }).open('/account')).heading).toBe('Sign in')
    expect((await house.browser({ session: second }).open('/account')).heading).toBe('Your account')
    expect((await house.browser({ session: planted }).open('/account')).heading).toBe('Sign in')
  })

  test('stands in the database only as a hash', async () => {
    const browser = await house.signedIn(ENTERED.email)
    const secret = browser.cookies.get('__Host-earshot_session')!
    const rows = await house.services.db.query<{ row: string }>(sql`select s::text as row from user_session s`)
    expect(rows.some(({ row }) => row.includes(secret.slice(4)))).toBe(false)
    expect(rows.some(({ row }) => row.includes(secretOf(secret)!.hash.toString('hex')))).toBe(true)
  })

  test('of two cookies with its name the first counts, and a name that only ends like it does not', async () => {
    const browser = await house.signedIn(ENTERED.email)
    const secret = browser.cookies.get('__Host-earshot_session')!
    const statusWith = async (cookie: string) =>
      (await fetch(`${house.origin}/account`, { headers: { cookie }, redirect: 'manual' })).status
    const name = '__Host-earshot_session'
    expect(await statusWith(`a=b; ${name}=${secret}; ${name}=x`)).toBe(200)
    expect(await statusWith(`${name}=x; ${name}=${secret}`)).toBe(303)
    for (const other of [
      'x__Host-earshot_session',
      '__host-earshot_session',
      'earshot_session',
      ' __Host-earshot_session2',
    ])
      expect(await statusWith(`${other}=${secret}`)).toBe(303)
    for (const value of [`"${secret}"`, `${secret}x`, secret.slice(0, -1), '', '%00', secret.replace('ses_', 'eat_')])
      expect(await statusWith(`${name}=${value}`)).toBe(303)
  })
})
