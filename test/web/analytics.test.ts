import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { createPerson } from '../people.ts'
import { nothing, type Seed } from './cast.ts'
import { test } from './chromium.ts'
import { useDashboard } from './dashboard.ts'
import { pressKeys, pressNamed, seeAddress, seeNoText, seeText } from './keys.ts'
import { measured } from './reports.ts'
import { shoot } from './shoot.ts'

const dashboard = useDashboard()

async function opened(path: string, seed: Seed = measured) {
  const workspace = await dashboard.world.workspace('Acme')
  const seeded = await seed(dashboard.world, workspace)
  const person = await createPerson(dashboard.world.services, workspace.workspaceId, 'member')
  const { page, open } = await dashboard.newWindow({ person })
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/v1/analytics/')) asked.push(new URL(request.url()).pathname.split('/').at(-1)!)
  })
  await open(path)
  return { page, asked, seeded, api: workspace.api }
}

/** The mentions that the inbox counts. */
async function countedInInbox(page: Page): Promise<number> {
  const line = page.getByText(/^\d+ relevant of \d+/).first()
  await line.waitFor()
  return Number(/of (\d+)/.exec((await line.textContent())!)![1])
}

/** The cells of the row whose link has this name. */
async function cellsOf(page: Page, name: string): Promise<string[]> {
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
  const cells = await row.getByRole('cell').locator('div, a').allTextContents()
  return cells.map((text) => text.trim())
}

const chartOf = (page: Page) => page.getByRole('slider')

test('every row and bar opens the inbox with exactly its mentions', async () => {
  const { page, asked } = await opened('/analytics?range=90d&by=sentiment')
  await seeText(page, 'Mentions by sentiment')
  expect(asked.toSorted()).toEqual(['breakdown', 'series', 'summary'])
  await shoot(page, 'analytics-by-sentiment')
  for (const name of ['Negative', 'Not scored']) {
    const [, mentions] = await cellsOf(page, name)
    await page.getByRole('cell').getByRole('link', { name, exact: true }).click()
    expect(await countedInInbox(page)).toBe(Number(mentions))
    await page.goBack()
    await seeText(page, 'Mentions by sentiment')
  }
  await page.getByRole('definition').getByRole('link', { name: '50', exact: true }).click()
  expect(await countedInInbox(page)).toBe(50)
})

test('charts are drawn in a browser whose language has no valid tag', async () => {
  const workspace = await dashboard.world.workspace('Acme')
  await measured(dashboard.world, workspace)
  const person = await createPerson(dashboard.world.services, workspace.workspaceId, 'member')
  const { page, open } = await dashboard.newWindow({ person })
  await page.addInitScript("Object.defineProperty(navigator, 'language', { get: () => 'en-US@posix' })")
  await open('/analytics')
  await chartOf(page).waitFor()
})

test('keys choose days, bars and parts of bars, and open their mentions', async () => {
  const { page } = await opened('/analytics')
  await seeText(page, 'Mentions by day and platform')
  await pressKeys(page, '9')
  await seeAddress(page, '/analytics?range=90d')
  await seeText(page, 'Mentions by day and platform')
  const chart = chartOf(page)
  await chart.focus()
  await pressKeys(page, 'End 7')
  await expect.poll(() => chart.getAttribute('aria-valuetext')).toMatch(/^All days: \d+ mentions$/)
  await pressKeys(page, '9')
  await expect.poll(() => chart.getAttribute('aria-valuemax')).toBe('90')
  await pressKeys(page, 'End ArrowUp')
  const text = (await chart.getAttribute('aria-valuetext'))!
  expect(text).toMatch(/^20 Nov, .+: [1-9] mentions?$/)
  await shoot(page, 'analytics-chosen')
  await pressKeys(page, 'Enter')
  await page.waitForURL(/\/inbox\?platforms=\w+&since=2026-11-20T00:00:00.000Z&until=2026-11-21T00:00:00.000Z/)
  expect(await countedInInbox(page)).toBe(Number(/: (\d+)/.exec(text)![1]))
  await pressKeys(page, 'g a')
  await seeAddress(page, '/analytics')
})

test('a press on a part of a bar opens that part', async () => {
  const { page } = await opened('/analytics?range=7d')
  await seeText(page, 'Mentions by day and platform')
  const box = (await chartOf(page).boundingBox())!
  await page.mouse.click(box.x + box.width - 70, box.y + box.height - 40)
  await page.waitForURL(/\/inbox\?platforms=\w+&since=/)
})

test('filters, own days and dimensions stand in the address and in every figure', async () => {
  const { page } = await opened('/analytics?range=90d')
  await seeText(page, 'Spikes in these days')
  await pressKeys(page, '/')
  await page.keyboard.type('platform:reddit is:relevant')
  await page.keyboard.press('Enter')
  await seeAddress(page, '/analytics?platforms=reddit&relevant=true&range=90d')
  await page.getByLabel('Of a keyword').selectOption('Northlight')
  await page.waitForURL(/keywordIds=kw_/)
  await pressNamed(page, 'button', 'Remove the filter keyword Northlight')
  await page.getByLabel('From').fill('2026-10-20')
  await page.getByLabel('To').fill('2026-11-19')
  await pressNamed(page, 'button', 'Show')
  await pressNamed(page, 'link', 'Language')
  await seeAddress(page, '/analytics?platforms=reddit&relevant=true&from=2026-10-20&to=2026-11-19&by=language')
  await seeText(page, 'Mentions by day and language')
  await pressNamed(page, 'link', 'Share of voice')
  await seeAddress(page, '/analytics/voice?platforms=reddit&relevant=true&from=2026-10-20&to=2026-11-19&by=language')
})

test('the inbox leads to the figures of its filter', async () => {
  const { page } = await opened('/inbox?platforms=reddit&since=2026-11-01')
  await page.locator('header').getByRole('link', { name: 'Analytics' }).click()
  await seeAddress(page, '/analytics?platforms=reddit')
  await seeText(page, 'Mentions by day and platform')
})

test('a chart is saved as CSV without formulas, and as a picture', async () => {
  const { page } = await opened('/analytics?range=90d&by=keyword')
  await seeText(page, 'Mentions by keyword')
  const saved = async (button: string) => {
    const [file] = await Promise.all([page.waitForEvent('download'), pressNamed(page, 'button', button)])
    return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) }
  }
  const table = await saved('Save “Mentions by keyword” as CSV')
  expect(table.name).toBe('keyword-2026-08-23-2026-11-20.csv')
  expect(table.bytes.toString()).toMatch(/^Keyword,Mentions,[^\n]*\r\nNorthlight,25,/)
  expect(table.bytes.toString()).toContain("\r\n'=kettle,")
  const series = await saved('Save “Mentions by day and keyword” as CSV')
  expect(series.bytes.toString().split('\r\n')[0]).toMatch(/^Period,Northlight,.*'=kettle/)
  for (const button of ['Save “Mentions by day and keyword” as PNG', 'Save “Mentions by keyword” as PNG']) {
    const { bytes } = await saved(button)
    expect(bytes.subarray(1, 4).toString()).toBe('PNG')
    expect(bytes.length).toBeGreaterThan(5000)
  }
  await pressNamed(page, 'button', 'As table')
  expect(await page.getByRole('table', { name: 'Mentions by day and keyword' }).getByRole('row').count()).toBe(91)
})

test('shares of voice count relevant mentions or all, and reviews lead to their ratings', async () => {
  const { page } = await opened('/analytics/voice?range=90d')
  await seeText(page, 'By keyword')
  const [, , , relevant] = await cellsOf(page, 'Kettleworks')
  await pressNamed(page, 'link', 'All mentions')
  await seeAddress(page, '/analytics/voice?range=90d&include=all')
  await expect.poll(async () => Number((await cellsOf(page, 'Kettleworks'))[3])).toBeGreaterThan(Number(relevant))
  const [, , , all] = await cellsOf(page, 'Kettleworks')
  await page.getByRole('cell').getByRole('link', { name: 'Kettleworks' }).click()
  expect(await countedInInbox(page)).toBe(Number(all))
  await page.goBack()
  await pressNamed(page, 'link', 'Reviews')
  await seeText(page, 'By rating')
  const [, reviews] = await cellsOf(page, '4 stars')
  await pressNamed(page, 'link', '4 stars')
  expect(await countedInInbox(page)).toBe(Number(reviews))
})

test.each(['By app or place', 'By country', 'By version'])('rows of reviews %s open the inbox', async (title) => {
  const { page } = await opened('/analytics/reviews?range=90d')
  await seeText(page, 'By version')
  const row = page.getByRole('table', { name: title }).getByRole('row').nth(1)
  // Before the number stands the name of its column, for narrow windows.
  const reviews = /\d+$/.exec((await row.getByRole('cell').nth(2).textContent())!)![0]
  await row.getByRole('link').first().click()
  expect(await countedInInbox(page)).toBe(Number(reviews))
})

test('without mentions the page says what would help', async () => {
  const { page } = await opened('/analytics?platforms=tiktok', nothing)
  await pressNamed(page, 'button', 'Drop the filter')
  await seeAddress(page, '/analytics')
  await pressNamed(page, 'button', 'Show 90 days')
  await seeAddress(page, '/analytics?range=90d')
  await pressNamed(page, 'link', 'Reviews')
  await seeText(page, 'No review in these days')
  await seeNoText(page, 'By rating')
})
