import { expect } from 'vitest'
import type { Role } from '../../src/domain/member/member.ts'
import { createPerson } from '../people.ts'
import { busy, refusing } from './cast.ts'
import { test } from './chromium.ts'
import { useDashboard } from './dashboard.ts'
import { pressKeys, pressNamed, seeAddress, seeNoText, seeText } from './keys.ts'

const dashboard = useDashboard()

async function opened(path: string, { role = 'owner' as Role, expected = [] as RegExp[] } = {}) {
  const { world } = dashboard
  const workspace = await world.workspace('Acme')
  await busy(world, workspace)
  const person = await createPerson(world.services, workspace.workspaceId, role)
  const { page, open } = await dashboard.newWindow({ person, expected })
  await open(path)
  const shown = async (address: string) => (await workspace.api('GET', address)).body
  /** Puts the focus on the page, where keys act. */
  const leaveForm = () => page.locator('body').click({ position: { x: 2, y: 2 } })
  return { page, open, workspace, shown, leaveForm }
}

test('the company profile is saved by keys, changes what the classifier reads, and is undone', async () => {
  const { page, shown, leaveForm } = await opened('/inbox', { role: 'member' })
  await seeText(page, 'relevant of')
  await pressKeys(page, 'g ,')
  await seeAddress(page, '/settings')
  await page.getByLabel('Name', { exact: true }).fill('Northlight Works')
  await page.getByLabel('Competitors').fill('Southlight')
  await page.keyboard.press('Enter')
  await page.getByLabel('Profile on X').fill('@northlight')
  await page.keyboard.press('Enter')
  await seeText(page, 'The company profile is saved')
  const saved = { name: 'Northlight Works', competitors: ['Southlight'], accounts: { x: 'https://x.com/northlight' } }
  expect(await shown('/v1/company')).toMatchObject(saved)
  await page.getByRole('region', { name: 'What the classifier reads' }).getByText('Northlight Works').waitFor()
  await leaveForm()
  await pressKeys(page, 'z')
  await seeText(page, 'Undone: The company profile is saved')
  expect(await shown('/v1/company')).toMatchObject({ name: '', competitors: [], accounts: { x: null } })
})

test('an owner shortens a period after a question, and everybody else sees what is in force', async () => {
  const { page, open, workspace, shown } = await opened('/settings/team')
  const days = page.getByLabel('Days that mentions are kept')
  await days.fill('90')
  await days.press('Enter')
  expect((await shown('/v1/workspace')).retention.mentions.ownDays).toBeNull()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove what is older' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect((await shown('/v1/workspace')).retention).toMatchObject({
    mentions: { ownDays: 90 },
    deliveries: { days: 30 },
  })
  const person = await createPerson(dashboard.world.services, workspace.workspaceId, 'member')
  const member = await dashboard.newWindow({ person, expected: [] })
  await member.open('/settings/team')
  await seeText(member.page, 'Mentions are kept for 90 days.')
  await open('/settings/team')
  expect(await page.getByLabel('Days that mentions are kept').inputValue()).toBe('90')
})

test('the text for the classifier is written, and composed again after a question', async () => {
  const { page, shown } = await opened('/settings')
  await pressNamed(page, 'button', 'Write it yourself')
  await page.getByLabel('Text for the classifier').fill('Northlight makes kettles.')
  await pressNamed(page, 'button', 'Save the text')
  await seeText(page, 'The classifier reads your text from now on')
  expect((await shown('/v1/company')).context).toBe('Northlight makes kettles.')
  await pressNamed(page, 'button', 'Compose it from the profile')
  await page.getByRole('dialog').getByRole('button', { name: 'Compose it from the profile' }).click()
  await seeText(page, 'The text is composed from the profile again')
  expect((await shown('/v1/company')).context).toBe('')
})

test('filters that a colleague changed meanwhile are not overwritten unasked', async () => {
  const { page, workspace, shown } = await opened('/settings/filters', { expected: [/409/] })
  await page.getByLabel('Terms').fill('giveaway')
  await page.keyboard.press('Enter')
  await workspace.api('PATCH', '/v1/filters', { excludedTerms: ['sweepstake'], excludedAuthors: ['@spammer'] })
  await pressNamed(page, 'button', 'Save')
  await seeText(page, 'Somebody changed the filters while you edited them.')
  const both = page.getByRole('row').filter({ hasText: 'giveaway' })
  await both.getByRole('cell', { name: 'sweepstake' }).waitFor()
  expect((await shown('/v1/filters')).excludedTerms).toEqual(['sweepstake'])
  await pressNamed(page, 'button', 'Save mine anyway')
  await seeText(page, 'The filters are saved')
  expect(await shown('/v1/filters')).toMatchObject({
    excludedTerms: ['giveaway'],
    excludedAuthors: [expect.anything()],
  })
})

test('a group is made, changed, undone, and deleted after a question', async () => {
  const { page, shown, leaveForm } = await opened('/settings/groups')
  const names = async () => (await shown('/v1/groups')).data.map(({ name }: { name: string }) => name)
  await pressNamed(page, 'button', 'Add a group')
  await page.getByLabel('Name', { exact: true }).fill('Kettles')
  await page.getByLabel('Context').fill('Electric kettles.')
  await pressNamed(page, 'button', 'Create the group')
  await seeText(page, 'The group Kettles is created')
  await seeText(page, 'its own context')
  await pressNamed(page, 'button', 'Actions for Kettles')
  await pressNamed(page, 'menuitem', 'Change the group')
  await page.getByLabel('Name', { exact: true }).fill('Water')
  await page.keyboard.press('Enter')
  await seeText(page, 'The group Water is saved')
  await leaveForm()
  await pressKeys(page, 'z')
  await seeText(page, 'Undone: The group Water is saved')
  expect(await names()).toContain('Kettles')
  await pressNamed(page, 'button', 'Actions for Kettles')
  await pressNamed(page, 'menuitem', 'Delete the group')
  await seeText(page, 'Delete Kettles?')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete the group' }).click()
  await seeText(page, 'The group Kettles is deleted')
  expect(await names()).not.toContain('Kettles')
})

test('a key is shown once, works, and is refused once it is revoked', async () => {
  const { page, workspace } = await opened('/settings/api-keys')
  await page.getByLabel('Name', { exact: true }).fill('Nightly report')
  await page.keyboard.press('Enter')
  const secret = page.getByRole('textbox', { name: 'The key' })
  await secret.waitFor()
  const key = await secret.inputValue()
  expect((await workspace.api('GET', '/v1/whoami', undefined, { key })).body.auth).toMatchObject({ scope: 'read' })
  await pressNamed(page, 'button', 'The key is stored')
  await seeNoText(page, 'The key is not shown again')
  expect(await page.content()).not.toContain(key)
  await pressNamed(page, 'button', 'Revoke Nightly report')
  await pressNamed(page, 'button', 'Revoke the key')
  await seeText(page, 'The key Nightly report is revoked')
  expect((await workspace.api('GET', '/v1/whoami', undefined, { key })).status).toBe(401)
})

test('what a role may not do is locked and says who may', async () => {
  const { page, open, workspace } = await opened('/settings/api-keys', { role: 'admin' })
  const owner = await createPerson(dashboard.world.services, workspace.workspaceId, 'owner')
  await seeText(page, 'Only owners of the workspace create and revoke keys.')
  expect(await page.getByRole('button', { name: 'Create the key' }).isDisabled()).toBe(true)
  const member = await opened('/settings/api-keys', { role: 'member' })
  await seeText(member.page, 'API keys are shown to admins and owners of the workspace.')
  await workspace.api(
    'POST',
    '/v1/members/invitations',
    { email: 'ada@example.com', role: 'admin' },
    { key: owner.token },
  )
  await open('/settings/team')
  await page.getByRole('row').filter({ hasText: 'ada@example.com' }).getByText('Admin').waitFor()
  expect(await page.getByRole('link', { name: 'Manage the team' }).getAttribute('href')).toBe('/team')
})

test('a recipient that bounced is found by the palette and unblocked, and one who reported spam is not', async () => {
  const { world } = dashboard
  const workspace = await world.workspace('Acme')
  await refusing(world, workspace)
  const person = await createPerson(world.services, workspace.workspaceId, 'admin')
  const { page, open } = await dashboard.newWindow({ person })
  await open('/settings')
  await seeText(page, 'What the classifier reads')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Find places, things and actions' }).fill('blocked')
  await page.getByRole('option', { name: 'Blocked recipients' }).click()
  await seeAddress(page, '/settings/suppressions')
  await seeText(page, 'Reported as spam')
  expect(await page.getByRole('button', { name: /^Unblock/ }).count()).toBe(1)
  await pressNamed(page, 'button', 'Unblock gone@example.com')
  await page.getByRole('dialog').getByRole('button', { name: 'Unblock' }).click()
  await seeText(page, 'gone@example.com can get mail again')
  await seeNoText(page, 'Address refused')
  const left = (await workspace.api('GET', '/v1/suppressions')).body.data
  expect(left.map(({ reason }: { reason: string }) => reason)).toEqual(['complaint'])
})

test('preferences of the browser outlive a reload', async () => {
  const { page, open } = await opened('/settings/preferences')
  await page.getByLabel('Theme').selectOption('dark')
  await page.getByLabel(/Exact, with time zone/).check()
  await page.getByRole('switch', { name: /Single keys act/ }).uncheck()
  await open('/attention')
  await seeText(page, /Since \d+ Nov 2026, \d\d:\d\d:\d\d/)
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
  await pressKeys(page, 'g i')
  await seeAddress(page, '/attention')
})

test('the workspace is renamed, which the side bar shows, and the log tells who did it', async () => {
  const { page, open, shown } = await opened('/settings/team')
  await page.getByLabel('Name of the workspace').fill('Northlight Works')
  await page.keyboard.press('Enter')
  await seeText(page, 'The workspace is named Northlight Works')
  await page.getByRole('navigation').getByText('Northlight Works').first().waitFor()
  expect((await shown('/v1/whoami')).workspace.name).toBe('Northlight Works')
  await open('/settings/log?kind=workspace.renamed')
  await page.getByRole('cell', { name: 'Workspace renamed' }).waitFor()
  await page.getByLabel('What happened').selectOption('Exported')
  await seeText(page, 'No entry of this kind')
})
