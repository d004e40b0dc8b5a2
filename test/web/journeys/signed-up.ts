import type { Page } from 'playwright-core'
import { pressNamed, seeAddress } from '../keys.ts'

/** Makes the first account of an installation, from any of its addresses. */
export async function signUp(page: Page): Promise<void> {
  await seeAddress(page, '/sign-up')
  await page.getByLabel('Your name').fill('Frida First')
  await page.getByLabel('E-mail address').fill('frida@people.example')
  await page.getByLabel('Password').fill('a kettle, two cups')
  await page.getByLabel('Name of your workspace').fill('Northlight')
  await pressNamed(page, 'button', 'Create the account')
  await seeAddress(page, '/inbox')
}

/** Sends a POST as the person of the window. */
export type Create = (path: string, body: object) => Promise<Record<string, unknown>>

export async function createAs(page: Page): Promise<Create> {
  const { formToken } = await (await page.request.get('/session')).json()
  return async (path, body) => {
    const headers = { 'X-CSRF-Token': formToken, Origin: new URL(page.url()).origin }
    const answer = await page.request.post(path, { data: body, headers })
    if (!answer.ok()) throw new Error(`${path} was answered with ${answer.status()}: ${await answer.text()}`)
    return answer.json()
  }
}
