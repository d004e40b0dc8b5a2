import { expect } from 'vitest'
import { createPerson } from '../people.ts'
import { busy } from './cast.ts'
import { test } from './chromium.ts'
import { useDashboard } from './dashboard.ts'
import { pressKeys, pressNamed, seeAddress, seeNoText, seeText } from './keys.ts'

const dashboard = useDashboard()

async function opened(path: (keyword: string) => string, expected: readonly RegExp[] = []) {
  const workspace = await dashboard.world.workspace('Acme')
  const { keyword } = await busy(dashboard.world, workspace)
  const person = await createPerson(dashboard.world.services, workspace.workspaceId, 'member')
  const { page, open } = await dashboard.newWindow({ person, expected })
  await open(path(keyword!))
  const shown = async () => (await workspace.api('GET', `/v1/keywords/${keyword}`)).body
  return { page, keyword: keyword!, shown }
}

test('a member adds a keyword, and a second one with the term leads to the first', async () => {
  const { page, keyword } = await opened(() => '/keywords', [/409/])
  await pressNamed(page, 'button', 'Add a keyword')
  await page.getByLabel('Term', { exact: true }).fill('Northlight')
  await pressNamed(page, 'button', 'Watch the term')
  const existing = page.getByRole('link', { name: 'Open the existing keyword' })
  expect(await existing.getAttribute('href')).toBe(`/keywords/${keyword}`)
  await page.getByLabel('Term', { exact: true }).fill('Southlight')
  await pressNamed(page, 'button', 'Watch the term')
  await seeText(page, '“Southlight” is watched from now on.')
  await pressNamed(page, 'link', 'Open the keyword')
  await seeText(page, 'all platforms · brand')
})

test('a pause and new rules are undone by a key', async () => {
  const { page, shown } = await opened((id) => `/keywords/${id}/rules`)
  await pressNamed(page, 'button', 'Pause')
  await seeText(page, 'The team paused it.')
  expect(await shown()).toMatchObject({ muted: true })
  await pressKeys(page, 'z')
  await seeText(page, 'Undone: “Northlight” is paused')
  expect(await shown()).toMatchObject({ muted: false })

  await page.getByLabel('Excluded terms').fill('northern light')
  await page.keyboard.press('Enter')
  await pressNamed(page, 'button', 'Save the rules')
  await seeText(page, 'The rules of “Northlight” are saved')
  expect(await shown()).toMatchObject({ matching: { excludedTerms: ['northern light'] } })
  await page.locator('body').click({ position: { x: 2, y: 2 } })
  await pressKeys(page, 'z')
  await seeText(page, 'Undone: The rules of “Northlight” are saved')
  expect(await shown()).toMatchObject({ matching: { excludedTerms: [] } })
})

test('a refused rule says so at its field', async () => {
  const { page } = await opened((id) => `/keywords/${id}/rules`, [/400/])
  await page.getByLabel('Monthly limit').fill('many')
  await pressNamed(page, 'button', 'Save the rules')
  const limit = page.getByLabel('Monthly limit')
  await expect.poll(() => limit.getAttribute('aria-invalid')).toBe('true')
})

test('a pasted text is explained step by step', async () => {
  const { page } = await opened((id) => `/keywords/${id}/explain`)
  await page.getByLabel('Text or address of a post').fill('The Northlights are out.')
  await pressNamed(page, 'button', 'Explain')
  await seeText(page, 'It would not become a mention')
  expect(await page.getByRole('listitem').filter({ hasText: 'Whole word' }).textContent()).toContain('Failed')
})

test('a keyword is deleted after a question', async () => {
  const { page } = await opened((id) => `/keywords/${id}`)
  await pressNamed(page, 'button', 'Actions for “Northlight”')
  await pressNamed(page, 'menuitem', 'Delete the keyword')
  await seeText(page, /its \d+ mentions will be deleted/)
  await pressNamed(page, 'button', 'Delete the keyword')
  await seeAddress(page, '/keywords')
  await seeText(page, 'No keyword yet')
  await seeNoText(page, 'Delete “Northlight”?')
})
