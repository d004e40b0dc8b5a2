import { expect } from 'vitest'
import { createPerson } from '../people.ts'
import { busy } from './cast.ts'
import { test } from './chromium.ts'
import { useDashboard } from './dashboard.ts'
import { pressKeys, pressNamed, seeAddress, seeText } from './keys.ts'

const dashboard = useDashboard()

async function opened() {
  const { world } = dashboard
  const workspace = await world.workspace('Acme')
  await busy(world, workspace)
  const person = await createPerson(world.services, workspace.workspaceId, 'member')
  const { page, open } = await dashboard.newWindow({ person })
  await open('/inbox')
  await seeText(page, 'relevant of')
  await pressKeys(page, 'g v')
  await seeAddress(page, '/developers')
  return page
}

test('each client has its set-up with the address of the tool server', async () => {
  const page = await opened()
  const address = page.getByRole('textbox', { name: 'Address of the tool server' })
  expect(await address.inputValue()).toBe(`${dashboard.world.origin}/mcp`)
  await seeText(page, `claude mcp add --transport http earshot ${dashboard.world.origin}/mcp`)
  await page.getByLabel('All tools at once').check()
  await page.getByRole('combobox', { name: 'Client' }).selectOption('Cursor')
  await seeAddress(page, '/developers?client=cursor&tools=all')
  await seeText(page, `"url": "${dashboard.world.origin}/mcp?tools=all"`)
  await page.getByRole('combobox', { name: 'Client' }).selectOption('ChatGPT')
  await seeText(page, 'This client runs at its vendor and cannot reach an address of your machine')
})

test('limits are shown with what is used, and the requests of the tab with their commands', async () => {
  const page = await opened()
  await seeText(page, /^2\d\d of 300 left for you$/)
  const keywords = page.getByRole('row').filter({ hasText: 'Keywords' })
  await keywords.getByRole('cell', { name: '1', exact: true }).waitFor()
  const keys = page.getByRole('row').filter({ hasText: 'API keys' })
  await keys.getByRole('cell', { name: '–' }).waitFor()
  await page.getByText('GET /v1/whoami').click()
  await seeText(page, `curl '${dashboard.world.origin}/v1/whoami'`)
  for (const name of ['OpenAPI document', 'API reference', 'Guide: call the API']) {
    const href = await page.getByRole('link', { name }).getAttribute('href')
    expect((await fetch(dashboard.world.origin + href!)).status).toBe(200)
  }
  await pressNamed(page, 'link', 'Create an API key')
  await seeText(page, 'API keys are shown to admins and owners')
})
