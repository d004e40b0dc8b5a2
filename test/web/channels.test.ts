import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { connect } from '../../src/commands/channels/slack/slack.suite.ts'
import { createPerson } from '../people.ts'
import { createSlackStandIn } from '../stand-ins/slack.ts'
import { useResource } from '../use-world.ts'
import { busy } from './cast.ts'
import { test } from './chromium.ts'
import { useDashboard } from './dashboard.ts'
import { pressKeys, pressNamed, seeAddress, seeNoText, seeText } from './keys.ts'

const stand = useResource(createSlackStandIn)
const dashboard = useDashboard(() => ({ slack: stand.slack }))

async function opened(path: (channel: string) => string, expected: readonly RegExp[] = []) {
  const workspace = await dashboard.world.workspace('Acme')
  const { channel } = await busy(dashboard.world, workspace)
  const person = await createPerson(dashboard.world.services, workspace.workspaceId, 'member')
  const { page, open } = await dashboard.newWindow({ person, expected })
  await open(path(channel!))
  const shown = async () => (await workspace.api('GET', `/v1/channels/${channel}`)).body
  return { page, open, shown, workspace }
}

const secretOf = (page: Page) => page.getByRole('textbox', { name: 'Signing secret' })

test('a new webhook shows its secret once and how to check signatures', async () => {
  const { page } = await opened(() => '/channels')
  await pressNamed(page, 'link', 'Add a channel')
  await page.getByRole('textbox', { name: 'Address' }).fill('https://desk.example/hook')
  await pressNamed(page, 'button', 'Create the webhook')
  await seeText(page, 'desk.example is a channel from now on.')
  expect(await secretOf(page).inputValue()).toMatch(/^whsec_/)
  await page.getByText('Check the signature').click()
  await pressNamed(page, 'button', 'Python')
  await seeText(page, 'compare_digest')
  await pressNamed(page, 'button', 'The secret is stored')
  await seeText(page, 'Rules of this channel alone')
  expect(await secretOf(page).count()).toBe(0)
})

test('settings, events and rules of a channel are saved, and undone by a key', async () => {
  const { page, shown } = await opened((id) => `/channels/${id}`)
  await page.getByLabel('Label').fill('Support desk')
  await page.getByLabel('Headers of your own').fill('X-Team support')
  await seeText(page, 'has no colon between the name and the value')
  await page.getByLabel('Headers of your own').fill('X-Team: support')
  await pressNamed(page, 'button', 'Save')
  await seeText(page, 'The settings of Support desk are saved')
  expect(await shown()).toMatchObject({ label: 'Support desk', config: { headers: { 'x-team': 'support' } } })
  await page.getByLabel('The balance is low').check()
  await seeText(page, 'The account events of the channel are saved')
  expect((await shown()).config.events).toEqual(['wallet.low'])
  await page.getByLabel('Bug reports').check()
  await seeText(page, 'The rules of the channel are saved')
  await page.locator('body').click({ position: { x: 2, y: 2 } })
  await pressKeys(page, 'z z')
  await seeText(page, 'Undone: The account events of the channel are saved')
  expect((await shown()).config.events).toEqual([])
})

test('a channel is paused, its secret replaced, and it is deleted after a question', async () => {
  const { page, shown } = await opened((id) => `/channels/${id}`)
  await pressNamed(page, 'button', 'Pause')
  await seeText(page, 'Nothing is sent to it.')
  expect(await shown()).toMatchObject({ enabled: false })
  await pressNamed(page, 'button', 'Rotate the secret')
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate the secret' }).click()
  await secretOf(page).waitFor()
  await pressNamed(page, 'button', 'Actions for receiver.example')
  await pressNamed(page, 'menuitem', 'Delete the channel')
  await seeText(page, /1 rule will no longer send to it/)
  await pressNamed(page, 'button', 'Delete the channel')
  await seeAddress(page, '/channels')
  await seeText(page, 'No channel yet')
  await seeNoText(page, 'Delete receiver.example?')
})

test('an address that may not be called is refused at its field', async () => {
  const { page } = await opened((id) => `/channels/${id}`, [/400/])
  await page.getByLabel('Address').fill('http://10.0.0.1/hook')
  await pressNamed(page, 'button', 'Save')
  await expect.poll(() => page.getByLabel('Address').getAttribute('aria-invalid')).toBe('true')
})

test('a team at Slack is disconnected after a question', async () => {
  const { page, open, workspace } = await opened(() => '/channels', [/404/])
  await connect(dashboard.world, stand, workspace)
  await open('/channels/new?kind=slack')
  await seeText(page, 'Connected to Team T1')
  await pressNamed(page, 'button', 'Disconnect Slack')
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect Slack' }).click()
  await seeText(page, 'Slack asks you to allow the app')
  expect((await workspace.api('GET', '/v1/slack')).status).toBe(404)
})
