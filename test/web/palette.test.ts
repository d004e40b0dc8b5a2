import { beforeEach, expect } from 'vitest'
import { createPerson, type Person } from '../people.ts'
import { useFreshWorkspace } from '../use-world.ts'
import { axeViolations } from './axe.ts'
import { busy } from './cast.ts'
import { test } from './chromium.ts'
import { useDashboard } from './dashboard.ts'
import { pressKeys, SHOW_MS, seeAddress, seeText } from './keys.ts'
import { shoot } from './shoot.ts'

const dashboard = useDashboard()
const acme = useFreshWorkspace(dashboard.world, 'Acme')
let ada: Person
beforeEach(async () => {
  ada = await createPerson(acme, acme.workspaceId, 'owner')
  await busy(dashboard.world, acme)
})

async function openPalette(from = '/inbox', shows = 'Open the post') {
  const { page, open } = await dashboard.newWindow({ person: ada })
  await open(from)
  await seeText(page, shows)
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Find places, things and actions' })
  await field.waitFor({ timeout: SHOW_MS })
  const type = async (text: string) => {
    await field.fill(text)
    await page.getByRole('option').first().waitFor({ timeout: SHOW_MS })
  }
  return { page, field, type }
}

test('the palette leads to places and things by their names, with keys alone', async () => {
  const { page, type } = await openPalette()
  await type('chann')
  await pressKeys(page, 'Enter')
  await seeAddress(page, '/channels')
  await page.keyboard.press('Control+k')
  await type('northli')
  await page.getByRole('option', { name: 'Northlight' }).waitFor({ timeout: SHOW_MS })
  await pressKeys(page, 'Enter')
  await page.waitForURL(/\/keywords\/kw_/, { timeout: SHOW_MS, waitUntil: 'commit' })
})

test('its actions act on the mention that is open, and it gives the focus back', async () => {
  const { page, field, type } = await openPalette()
  await type('done')
  await pressKeys(page, 'Enter')
  await seeText(page, '2 relevant of 3')
  await page.keyboard.press('Control+k')
  await field.waitFor({ timeout: SHOW_MS })
  await pressKeys(page, 'Escape')
  await field.waitFor({ state: 'detached', timeout: SHOW_MS })
  await pressKeys(page, 'z')
  await seeText(page, '3 relevant of 4')
})

test('it opens while somebody writes, and searches for what has no name', async () => {
  const { page, field, type } = await openPalette('/search', 'See what people write')
  await pressKeys(page, 'Escape')
  await field.waitFor({ state: 'detached', timeout: SHOW_MS })
  await page.getByRole('searchbox').or(page.getByRole('textbox')).first().focus()
  await page.keyboard.press('Control+k')
  await type('kettle leaks')
  await pressKeys(page, 'Enter')
  await seeAddress(page, '/inbox?q=kettle%20leaks')
})

test('keys with a modifier belong to the field', async () => {
  const { page, field, type } = await openPalette()
  await type('channels')
  const chosen = page.getByRole('option', { name: 'Channels', selected: true })
  await chosen.waitFor({ timeout: SHOW_MS })
  const id = await chosen.getAttribute('id')
  await pressKeys(page, 'Control+Enter Shift+ArrowDown Alt+ArrowDown')
  expect(await field.getAttribute('aria-activedescendant')).toBe(id)
  await pressKeys(page, 'ArrowDown')
  expect(await field.getAttribute('aria-activedescendant')).not.toBe(id)
})

test('it is accessible in both themes and on a phone', async () => {
  const { page } = await openPalette()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await shoot(page, `palette-${colorScheme}`)
    expect(await axeViolations(page)).toEqual([])
  }
  await page.setViewportSize({ width: 390, height: 800 })
  await shoot(page, 'palette-phone')
})
