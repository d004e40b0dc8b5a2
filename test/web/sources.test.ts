import { expect } from 'vitest'
import { PLATFORMS } from '../../src/domain/platform/platforms.ts'
import { createPerson } from '../people.ts'
import { freshSetups, placed, ready, scriptedSources } from '../stand-ins/sources.ts'
import { collected } from './cast.ts'
import { test } from './chromium.ts'
import { useDashboard } from './dashboard.ts'
import { pressKeys, seeAddress, seeText } from './keys.ts'

const dashboard = useDashboard(() => ({
  sources: scriptedSources(
    ...freshSetups().map((setup) => (setup.platform === 'feeds' ? ready(placed('feeds')) : setup)),
  ),
}))

const READY = freshSetups().filter(({ source }) => source !== null)

async function opened(expected: readonly RegExp[] = []) {
  const { world } = dashboard
  const workspace = await world.workspace('Acme')
  await collected(world, workspace)
  const person = await createPerson(world.services, workspace.workspaceId, 'member')
  const { page, open } = await dashboard.newWindow({ person, expected })
  return { page, open }
}

test('every platform is shown by a key: state, fault, use of the day and what is missing', async () => {
  const { page, open } = await opened()
  await open('/inbox')
  await seeText(page, 'relevant of')
  await pressKeys(page, 'g o')
  await seeAddress(page, '/sources')
  await seeText(page, `${READY.length} of ${PLATFORMS.length} platforms collected`)
  const told = {
    GitHub: 'The platform could not be reached',
    'Hacker News': '40 s old',
    'Stack Overflow': '120 of 300 requests',
    DEV: '$1.25',
  }
  for (const [platform, text] of Object.entries(told))
    await page.getByRole('row').filter({ hasText: platform }).getByText(text).first().waitFor()
  const reddit = page.getByRole('region', { name: 'Reddit' })
  for (const text of ['REDDIT_CLIENT_ID', 'The id of the approved Reddit app.', 'nothing, once Reddit has approved'])
    await reddit.getByText(text).first().waitFor()
  const links = page.getByRole('region', { name: 'X', exact: true }).getByRole('link')
  expect(await links.first().getAttribute('href')).toBe('https://developer.x.com')
})

test('the delays of the last hour are those of the workspace', async () => {
  const { page, open } = await opened()
  await open('/sources')
  const bluesky = page.getByRole('row').filter({ hasText: 'Bluesky' })
  await bluesky.getByText(/^95 % within .*, of 2$/).waitFor()
  await bluesky.getByText(/^95 % within .*, of 1$/).waitFor()
})

test('a feed is named, shown with its state, and not read any more, by keys alone', async () => {
  const { page, open } = await opened([/status of 400.*\/v1\/named-sources/])
  await open('/sources')
  const section = page.getByRole('region', { name: 'Feeds and forums' })
  await section.getByText('No feed or forum is named').waitFor()
  await section.getByRole('button', { name: 'Add a feed or forum' }).press('Enter')
  await page.getByRole('textbox', { name: 'Address' }).fill('https://127.0.0.1/feed')
  await pressKeys(page, 'Enter')
  await seeText(page, 'must lead to a public address')
  await page.getByRole('textbox', { name: 'Address' }).fill('https://blog.example/feed')
  await pressKeys(page, 'Enter')
  await seeText(page, 'Title of blog.example is read from now on')
  const row = section.getByRole('row').filter({ hasText: 'https://blog.example/feed' })
  await row.getByText('Waiting').waitFor()
  await row.getByRole('button', { name: /^Stop reading/ }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Stop reading' }).press('Enter')
  await section.getByText('No feed or forum is named').waitFor()
})
