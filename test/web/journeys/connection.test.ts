import type { BrowserContext, Page } from 'playwright-core'
import { beforeEach, expect } from 'vitest'
import { HOUR_MS, plus } from '../../../src/kernel/clock.ts'
import { createPerson, type Person } from '../../people.ts'
import { useFreshWorkspace } from '../../use-world.ts'
import { busy } from '../cast.ts'
import { test } from '../chromium.ts'
import { useDashboard } from '../dashboard.ts'
import { pressKeys, pressNamed, SHOW_MS, seeNoText, seeText } from '../keys.ts'
import { shoot } from '../shoot.ts'

const { world, newWindow } = useDashboard()
const acme = useFreshWorkspace(world, 'Acme')
let ada: Person
beforeEach(async () => {
  ada = await createPerson(acme, acme.workspaceId, 'owner')
  await busy(world, acme)
})

const OFFLINE = [/ERR_INTERNET_DISCONNECTED/]

async function openInbox(expected: readonly RegExp[] = []) {
  const window = await newWindow({ person: ada, expected })
  await window.open('/inbox')
  await seeText(window.page, 'Open the post')
  return { ...window, context: window.page.context() }
}

async function statuses(): Promise<string[]> {
  const { body } = await acme.api('GET', '/v1/mentions?limit=100')
  return (body.data as { status: string }[]).map(({ status }) => status).sort()
}

async function changesOf(mention: string): Promise<unknown[]> {
  return (await acme.api('GET', `/v1/mentions/${mention}/changes`)).body.data
}

/** The mention that is shown. */
async function shownIn(page: Page): Promise<string> {
  await page.waitForURL(({ searchParams }) => searchParams.has('m'), { timeout: SHOW_MS })
  return new URL(page.url()).searchParams.get('m')!
}

const UNTOUCHED = ['done', 'open', 'open', 'open', 'open']

async function triageOffline(context: BrowserContext, page: Page): Promise<void> {
  await context.setOffline(true)
  await pressKeys(page, 'e i')
  await seeText(page, '2 changes wait and are sent once the connection is back.')
  expect(await statuses()).toEqual(UNTOUCHED)
}

test('changes made offline wait, and are sent once when the connection is back', async () => {
  const { page, context } = await openInbox(OFFLINE)
  const first = await shownIn(page)
  await triageOffline(context, page)
  await shoot(page, 'journey-offline')
  await context.setOffline(false)
  await seeNoText(page, 'once the connection is back')
  expect(await statuses()).toEqual(['done', 'done', 'ignored', 'open', 'open'])
  expect(await changesOf(first)).toHaveLength(1)
  await pressKeys(page, 'z z')
  await expect.poll(statuses, { timeout: SHOW_MS }).toEqual(UNTOUCHED)
})

test('changes made offline are discarded, and a discarded one comes back by undo', async () => {
  const { page, context } = await openInbox(OFFLINE)
  await triageOffline(context, page)
  await pressNamed(page, 'button', 'Discard')
  await seeNoText(page, 'once the connection is back')
  await expect.poll(() => page.getByRole('row').count(), { timeout: SHOW_MS }).toBe(3)
  await pressKeys(page, 'z')
  await seeText(page, '2 changes wait')
  await context.setOffline(false)
  await seeNoText(page, 'once the connection is back')
  expect(await statuses()).toEqual(['done', 'done', 'ignored', 'open', 'open'])
})

test('changes that wait outlive their page, and what a colleague changed meanwhile stays', async () => {
  const { page, context } = await openInbox(OFFLINE)
  const first = await shownIn(page)
  await triageOffline(context, page)
  await page.close()
  await acme.api('PATCH', `/v1/mentions/${first}`, { status: 'ignored' })
  await context.setOffline(false)
  const next = await context.newPage()
  await next.goto('/inbox')
  await seeText(next, 'somebody changed the mention meanwhile')
  await expect.poll(statuses, { timeout: SHOW_MS }).toEqual(['done', 'ignored', 'ignored', 'open', 'open'])
  expect(await changesOf(first)).toHaveLength(1)
})

test('a snoozed mention is still there when what waited is sent', async () => {
  const { body } = await acme.api('GET', '/v1/mentions?status=open&limit=1')
  const id: string = body.data[0].id
  const snoozedUntil = plus(world.clock.now(), HOUR_MS).toISOString()
  await acme.api('PATCH', `/v1/mentions/${id}`, { snoozedUntil })
  const { page, context, open } = await openInbox(OFFLINE)
  await open('/inbox?snoozed=true')
  await expect.poll(() => page.getByRole('row').count(), { timeout: SHOW_MS }).toBe(1)
  await context.setOffline(true)
  await pressKeys(page, 'e')
  await seeText(page, '1 change waits')
  await context.setOffline(false)
  const status = async () => (await acme.api('GET', `/v1/mentions/${id}`)).body.status
  await expect.poll(status, { timeout: SHOW_MS }).toBe('done')
})

test('seven tabs answer, and one of them reads the stream', async () => {
  const { page, context } = await openInbox()
  const streams: string[] = []
  context.on('request', (request) => request.url().endsWith('/v1/events/stream') && streams.push(request.url()))
  const tabs = [page]
  while (tabs.length < 7) {
    const tab = await context.newPage()
    await tab.goto('/inbox')
    await seeText(tab, 'Open the post')
    tabs.push(tab)
  }
  expect(streams).toEqual([])
  await pressKeys(tabs[6]!, 'e')
  await expect.poll(statuses, { timeout: SHOW_MS }).toEqual(['done', 'done', 'open', 'open', 'open'])
  for (const tab of tabs) await tab.getByRole('img', { name: 'Live', exact: true }).waitFor({ timeout: SHOW_MS })
})
