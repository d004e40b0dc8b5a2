import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { test } from '../chromium.ts'
import { useInstallation } from '../installation.ts'
import { pressKeys, pressNamed, SHOW_MS, seeAddress } from '../keys.ts'
import { EMAIL, mentionsOf, PASSWORD, receiveMentions, signUp } from './signed-up.ts'

const { installation, newWindow } = useInstallation()

const POST = 'Which kettle is better, the Northlight or the Southwind? My Northlight leaks.'

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('E-mail address').fill(EMAIL)
  await page.getByLabel('Password').fill(PASSWORD)
  await pressNamed(page, 'button', 'Sign in')
}

test('a session ends: the sign-in leads back to the same place, and what was typed and done is kept', async () => {
  const { page, open } = await newWindow({ expected: [/401/] })
  await open('/')
  await signUp(page)
  await receiveMentions(page, installation.jetstream, [POST])
  await open('/inbox?status=open&sort=relevance')
  await page.waitForURL(({ searchParams }) => searchParams.has('m'), { timeout: SHOW_MS })
  const { pathname, search } = new URL(page.url())
  await page.getByRole('img', { name: 'Live', exact: true }).waitFor({ timeout: SHOW_MS })

  await pressKeys(page, 'c')
  await page.getByRole('textbox', { name: 'Note' }).fill('Answer today.')
  await page.context().clearCookies()
  // The balance changes, which the page wants to show.
  installation.jetstream.post('The lid of my Northlight kettle broke after a week. How do I get a new one?')
  await seeAddress(page, `/sign-in?next=${encodeURIComponent(pathname + search)}`)
  await signIn(page)
  await seeAddress(page, pathname + search)
  const note = page.getByRole('textbox', { name: 'Note' })
  await expect.poll(() => note.inputValue(), { timeout: SHOW_MS }).toBe('Answer today.')
  await pressKeys(page, 'Escape')

  await page.context().clearCookies()
  await pressKeys(page, 'e')
  await page.waitForURL(/sign-in/, { timeout: SHOW_MS })
  await signIn(page)
  await page.waitForURL(/inbox/, { timeout: SHOW_MS })
  const done = async () => (await mentionsOf(page)).filter(({ status }) => status === 'done').length
  await expect.poll(done, { timeout: SHOW_MS }).toBe(1)
})
