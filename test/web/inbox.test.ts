import { beforeEach, describe, expect } from 'vitest'
import { SECOND_MS } from '../../src/kernel/clock.ts'
import { makeKeyword, mention, score } from '../mentions.ts'
import { createPerson, type Person } from '../people.ts'
import { useFreshWorkspace, useWorkspace } from '../use-world.ts'
import { busy, type Seeded } from './cast.ts'
import { test } from './chromium.ts'
import { useDashboard } from './dashboard.ts'
import { withoutLocks } from './in-page.ts'
import { pressKeys, pressNamed, SHOW_MS, seeNoText, seeText } from './keys.ts'

const dashboard = useDashboard()
const acme = useFreshWorkspace(dashboard.world, 'Acme')
const globex = useWorkspace(dashboard.world, 'Globex')
let ada: Person
let seeded: Seeded
beforeEach(async () => {
  ada = await createPerson(acme, acme.workspaceId, 'owner')
  seeded = await busy(dashboard.world, acme)
})

async function openInbox(address = '/inbox') {
  const window = await dashboard.newWindow({ person: ada })
  await window.open(address)
  await seeText(window.page, 'Open the post')
  return window
}

async function statuses(): Promise<Record<string, number>> {
  const { body } = await acme.api('GET', '/v1/mentions?limit=100')
  const all = (body.data as { status: string }[]).map(({ status }) => status)
  return Object.fromEntries(
    [...new Set(all)].sort().map((status) => [status, all.filter((name) => name === status).length]),
  )
}

describe('with keys alone', () => {
  test('mentions are done one after the other, and all come back by undo', async () => {
    const { page } = await openInbox()
    await seeText(page, '3 relevant of 4')
    await pressKeys(page, 'e i e')
    await seeText(page, 'The inbox is empty')
    await expect.poll(statuses, { timeout: SHOW_MS }).toEqual({ done: 3, ignored: 1, open: 1 })
    await pressKeys(page, 'z z z')
    await expect.poll(statuses, { timeout: SHOW_MS }).toEqual({ done: 1, open: 4 })
    await seeText(page, '3 relevant of 4')
    const { body } = await acme.api('GET', `/v1/mentions/${seeded['mention']}/changes`)
    expect(body.data).toHaveLength(2)
  })

  test('what waits for its turn is sent when the page is left', async () => {
    const { page } = await openInbox()
    const answered = page.waitForResponse((response) => response.request().method() === 'PATCH')
    await pressKeys(page, 'e')
    await answered
    await pressKeys(page, 'e')
    await page.goto('/guide')
    await expect.poll(statuses, { timeout: SHOW_MS }).toEqual({ done: 3, open: 2 })
  })

  test('a verdict, a note and an assignment are given, and the same key takes a verdict back', async () => {
    const { page } = await openInbox()
    await pressKeys(page, 'j r')
    await seeText(page, 'Marked as relevant')
    await pressKeys(page, 'c')
    await page.getByRole('textbox', { name: 'Note' }).fill('Answer today.')
    await pressKeys(page, 'Control+Enter')
    await seeText(page, 'Note saved')
    await page.getByRole('dialog').waitFor({ state: 'hidden', timeout: SHOW_MS })
    await pressKeys(page, 'a')
    await page.getByRole('button', { name: /\(me\)/ }).click({ timeout: SHOW_MS })
    await page.getByRole('dialog').waitFor({ state: 'hidden', timeout: SHOW_MS })
    await seeText(page, /^Assigned to Person who is owner$/)
    const marked = async () => {
      const { body } = await acme.api('GET', '/v1/mentions?limit=100')
      return (body.data as { triage: { note: string | null }; classification: { feedback: unknown } }[])
        .filter(({ triage }) => triage.note === 'Answer today.')
        .map(({ classification }) => classification.feedback)
    }
    await expect.poll(marked, { timeout: SHOW_MS }).toMatchObject([{ relevant: true }])
    await pressKeys(page, 'r')
    await expect.poll(marked, { timeout: SHOW_MS }).toEqual([null])
  })

  test('all that match are changed together, and come back together', async () => {
    const { page } = await openInbox('/inbox?status=open')
    await pressKeys(page, 'Control+a')
    await seeText(page, '4 mentions selected')
    await pressKeys(page, 'Control+a e')
    await expect.poll(statuses, { timeout: SHOW_MS }).toEqual({ done: 5 })
    await pressKeys(page, 'z')
    await expect.poll(statuses, { timeout: SHOW_MS }).toEqual({ done: 1, open: 4 })
  })

  test('the steps of the explanation are shown, and the places of the term are marked', async () => {
    const { page } = await openInbox()
    await pressKeys(page, 'j w')
    await seeText(page, 'Whole word')
    expect(await page.locator('article mark').allTextContents()).toEqual(['Northlight'])
  })

  test('nothing happens while somebody writes, and the help lists every key', async () => {
    const { page } = await openInbox()
    await pressKeys(page, '/')
    await page.keyboard.type('leaks e')
    await pressKeys(page, 'Enter')
    await page.waitForURL(({ searchParams }) => searchParams.get('q') === 'leaks e', { timeout: SHOW_MS })
    await pressKeys(page, 'Escape ?')
    await seeText(page, 'Snooze as last time')
    expect(await statuses()).toEqual({ done: 1, open: 4 })
  })
})

describe('an address', () => {
  test('of a filtered list opens the same list in another window', async () => {
    const first = await openInbox('/inbox?sentiments=negative&sort=relevance')
    const rows = first.page.getByRole('row')
    await expect.poll(() => rows.count(), { timeout: SHOW_MS }).toBe(2)
    await expect.poll(() => new URL(first.page.url()).searchParams.get('m'), { timeout: SHOW_MS }).toMatch(/^mtn_/)
    const { pathname, search } = new URL(first.page.url())
    const second = await openInbox(pathname + search)
    await expect.poll(() => second.page.getByRole('row').count(), { timeout: SHOW_MS }).toBe(2)
  })

  test('of a mention opens it, and of another workspace opens nothing', async () => {
    const stranger = await createPerson(globex, globex.workspaceId, 'owner')
    const { page, open } = await dashboard.newWindow({ person: stranger, expected: [/404/] })
    await open(`/mentions/${seeded['mention']}`)
    await seeText(page, 'This mention does not exist')
    const own = await openInbox(`/mentions/${seeded['mention']}`)
    await seeText(own.page, 'Which kettle keeps the water hot for an hour?')
  })
})

test('a hostile post stays text', async () => {
  const { page } = await openInbox('/inbox?sort=relevance')
  await seeText(page, /<img src=x onerror/)
  expect(await page.title()).toBe('Inbox · Earshot')
  const links = await page.locator('article a').evaluateAll((found) => found.map((link) => link.getAttribute('href')))
  expect(links).toEqual(['https://example.com/a?b=c'])
})

test('a browser without locks, as over plain HTTP from another machine, shows changes as well', async () => {
  const { page, open } = await dashboard.newWindow({ person: ada })
  await page.addInitScript(withoutLocks)
  await open('/inbox')
  await page.getByRole('img', { name: 'Live', exact: true }).waitFor({ timeout: SHOW_MS })
})

test('a new mention waits behind a button until somebody wants it', async () => {
  const { page } = await openInbox()
  await seeText(page, '3 relevant of 4')
  const keyword = await makeKeyword(acme, { term: 'Southlight' })
  const made = await mention(dashboard.world, keyword, { text: 'The Southlight is new and good.' })
  await score(dashboard.world, [made], { relevance: 90 })
  // The stream waits by the clock of the world.
  const arrived = async () => {
    await dashboard.world.clock.advance(SECOND_MS)
    return page.getByText('1 new').count()
  }
  await expect.poll(arrived, { timeout: SHOW_MS }).toBe(1)
  await seeNoText(page, 'The Southlight is new and good.')
  await pressKeys(page, '.')
  await seeText(page, 'The Southlight is new and good.')
})

test('a view is renamed, takes the conditions that are shown, and gets a new address for its feed', async () => {
  const { page } = await openInbox(`/inbox/${seeded['view']}?platforms=reddit`)
  await pressNamed(page, 'button', 'Edit the view')
  await page.getByRole('textbox', { name: 'Name of the view' }).fill('Questions on Reddit')
  const address = page.getByRole('textbox', { name: 'Address of the feed' })
  const before = await address.inputValue()
  await pressNamed(page, 'button', 'Make a new address')
  await pressNamed(page, 'button', 'End the present address, and make a new one')
  await seeText(page, 'The feed has a new address')
  await expect.poll(() => address.inputValue()).not.toBe(before)
  await pressNamed(page, 'button', 'Save')
  await seeText(page, 'The view Questions on Reddit is changed')
  const viewNow = async () => (await acme.api('GET', `/v1/views/${seeded['view']}`)).body
  expect(await viewNow()).toMatchObject({
    name: 'Questions on Reddit',
    filter: { intents: ['question'], platforms: ['reddit'] },
  })
  await pressNamed(page, 'button', 'Undo')
  await expect.poll(async () => (await viewNow()).name).toBe('Questions')
})

test('a view is saved from the filter, and undone', async () => {
  const { page } = await openInbox('/inbox?sentiments=negative')
  await pressNamed(page, 'button', 'Save the view')
  await page.getByRole('textbox', { name: 'Name of the view' }).fill('Trouble')
  await pressKeys(page, 'Enter')
  await seeText(page, 'The view Trouble is saved')
  await page.waitForURL(/\/inbox\/vw_/, { timeout: SHOW_MS })
  await pressKeys(page, 'z')
  await seeNoText(page, /^Trouble$/)
})
