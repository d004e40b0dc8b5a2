import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Jetstream } from '../../stand-ins/jetstream.ts'
import { until } from '../../until.ts'
import { pressNamed, SHOW_MS, seeAddress } from '../keys.ts'

export const EMAIL = 'frida@people.example'
export const PASSWORD = 'a kettle, two cups'

/** Makes the first account of an installation, from any of its addresses. */
export async function signUp(page: Page): Promise<void> {
  await seeAddress(page, '/sign-up')
  await page.getByLabel('Your name').fill('Frida First')
  await page.getByLabel('E-mail address').fill(EMAIL)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByLabel('Name of your workspace').fill('Northlight')
  await pressNamed(page, 'button', 'Create the account')
  await seeAddress(page, '/inbox')
}

/** Sends a POST as the person of the window. */
export type Create = (path: string, body: object) => Promise<Record<string, unknown>>

export async function createAs(page: Page): Promise<Create> {
  const headers = await headersOf(page)
  return async (path, body) => {
    const answer = await page.request.post(path, { data: body, headers })
    if (!answer.ok()) throw new Error(`${path} was answered with ${answer.status()}: ${await answer.text()}`)
    return answer.json()
  }
}

/** Headers of a change by the person of the window. */
async function headersOf(page: Page): Promise<Record<string, string>> {
  const { formToken } = await (await page.request.get('/session')).json()
  return { 'X-CSRF-Token': formToken, Origin: new URL(page.url()).origin }
}

export interface ScoredMention {
  id: string
  status: string
  /** Null until the mention is scored. */
  classification: object | null
}

/** Mentions as the person of the window gets them. */
export async function mentionsOf(page: Page): Promise<ScoredMention[]> {
  return (await (await page.request.get('/v1/mentions?limit=100')).json()).data
}

/** Watches “Northlight” and waits until posts about it are scored. */
export async function receiveMentions(page: Page, jetstream: Jetstream, posts: readonly string[]): Promise<void> {
  const create = await createAs(page)
  await create('/v1/keywords', { term: 'Northlight', kind: 'brand' })
  await matchNewKeywords(page, jetstream)
  for (const text of posts) jetstream.post(text)
  const scored = async () => (await mentionsOf(page)).filter(({ classification }) => classification !== null).length
  await expect.poll(scored, { timeout: SHOW_MS }).toBe(posts.length)
}

/** Waits until posts are matched against the keywords that there are now: a later keyword has a mention then. */
async function matchNewKeywords(page: Page, jetstream: Jetstream): Promise<void> {
  const create = await createAs(page)
  const { id } = await create('/v1/keywords', { term: 'the last keyword', kind: 'topic' })
  await until(() => jetstream.listeners > 0)
  const found = async () => {
    jetstream.post('This names the last keyword.')
    return (await mentionsOf(page)).length
  }
  await expect.poll(found, { timeout: SHOW_MS }).toBeGreaterThan(0)
  await page.request.delete(`/v1/keywords/${id}`, { headers: await headersOf(page) })
  await expect.poll(async () => (await mentionsOf(page)).length, { timeout: SHOW_MS }).toBe(0)
}
