import { expect } from 'vitest'
import { createPerson } from '../people.ts'
import { busy } from './cast.ts'
import { test } from './chromium.ts'
import { useDashboard } from './dashboard.ts'
import { pressKeys, pressNamed, seeAddress, seeText } from './keys.ts'

const dashboard = useDashboard()

async function opened(path: (rule: string) => string) {
  const workspace = await dashboard.world.workspace('Acme')
  const { alert } = await busy(dashboard.world, workspace)
  const person = await createPerson(dashboard.world.services, workspace.workspaceId, 'member')
  const { page, open } = await dashboard.newWindow({ person })
  await open(path(alert!))
  const rules = async () => (await workspace.api('GET', '/v1/alerts')).body.data
  return { page, rules }
}

test('a weekly rule is made from conditions, with what it would have sent beside it', async () => {
  const { page, rules } = await opened(() => '/alerts')
  await pressNamed(page, 'link', 'Add a rule')
  await seeText(page, /[2-4] mentions in the last 7 days/)
  await page.getByRole('textbox', { name: 'Filter' }).fill('platform:reddit')
  await page.keyboard.press('Enter')
  await seeText(page, '1 mention in the last 7 days')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Northlight on Reddit')
  await page.getByRole('radio', { name: 'Every week' }).check()
  await page.getByLabel('Time of day').fill('07:30')
  await page.getByRole('checkbox', { name: 'receiver.example' }).check()
  await pressNamed(page, 'button', 'Create the rule')
  await seeText(page, 'Every Monday at 07:30')
  expect((await rules()).find(({ name }: { name: string }) => name === 'Northlight on Reddit')).toMatchObject({
    mode: 'weekly',
    filter: { platforms: ['reddit'] },
    schedule: { hour: 7, minute: 30, timezone: 'UTC', weekday: 1 },
    channels: [{ label: 'receiver.example' }],
  })
})

test('a rule is changed, and undone by a key', async () => {
  const { page, rules } = await opened((id) => `/alerts/${id}`)
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Complaints of everybody')
  await pressNamed(page, 'button', 'Save the rule')
  await seeText(page, 'The rule Complaints of everybody is saved')
  expect(await rules()).toMatchObject([{ name: 'Complaints of everybody' }])
  await page.getByRole('textbox', { name: 'Author' }).fill('@spammer')
  await pressNamed(page, 'button', 'Mute')
  await seeText(page, '@spammer is muted in the rule')
  expect((await rules())[0].filter.excludeAuthors).toHaveLength(1)
  await page.locator('body').click({ position: { x: 2, y: 2 } })
  await pressKeys(page, 'z z')
  await seeText(page, 'Undone: The rule Complaints of everybody is saved')
  expect(await rules()).toMatchObject([{ name: 'Complaints', filter: { intents: ['complaint'] } }])
})

test('a rule is paused, and deleted after a question', async () => {
  const { page, rules } = await opened((id) => `/alerts/${id}`)
  await pressNamed(page, 'button', 'Pause')
  await seeText(page, 'The rule Complaints is paused')
  expect(await rules()).toMatchObject([{ enabled: false }])
  await pressNamed(page, 'button', 'Actions for Complaints')
  await pressNamed(page, 'menuitem', 'Delete the rule')
  await pressNamed(page, 'button', 'Delete the rule')
  await seeAddress(page, '/alerts')
  await seeText(page, 'No rule yet')
  expect(await rules()).toEqual([])
})
