import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { createPerson } from '../people.ts'
import { test } from './chromium.ts'
import { useDashboard } from './dashboard.ts'
import { pressKeys, pressNamed, seeAddress, seeNoText, seeText } from './keys.ts'
import { measured } from './reports.ts'
import { shoot } from './shoot.ts'

const dashboard = useDashboard()

async function opened(path: (seeded: Readonly<Record<string, string>>) => string, expected: readonly RegExp[] = []) {
  const workspace = await dashboard.world.workspace('Acme')
  const seeded = await measured(dashboard.world, workspace)
  const person = await createPerson(dashboard.world.services, workspace.workspaceId, 'member')
  const { page, open } = await dashboard.newWindow({ person, expected })
  await open(path(seeded))
  const get = async (at: string) => (await workspace.api('GET', at)).body
  return { page, seeded, get, api: workspace.api }
}

/** Leaves the field that has the focus, so that keys act. */
async function leaveField(page: Page) {
  await page.locator('h1').click()
}

test('people are searched, filtered and sorted by the address, and exported', async () => {
  const { page, get } = await opened(() => '/people')
  await seeText(page, '6 people')
  await pressKeys(page, '/')
  await page.keyboard.type('ada')
  await seeAddress(page, '/people?q=ada')
  await seeText(page, '1 person')
  await pressNamed(page, 'button', 'Drop the filter')
  await pressNamed(page, 'button', 'Conditions')
  await page.getByLabel('Followers from').fill('3000')
  await page.getByRole('group', { name: 'Has an account on', exact: true }).getByLabel('GitHub').check()
  await seeAddress(page, '/people?platforms=github&minFollowers=3000')
  await seeText(page, 'has an account on GitHub · followers from 3,000')
  const { total } = await get('/v1/people?platforms=github&minFollowers=3000')
  await seeText(page, `${total} p`)
  await page.getByLabel('Sort by').selectOption('name')
  const exported = await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href')
  expect(exported).toBe('/v1/people/export.csv?platforms=github&minFollowers=3000&sort=name')
  await pressNamed(page, 'link', 'Save as segment')
  await seeAddress(page, '/segments/new?platforms=github&minFollowers=3000')
  await seeText(page, `${total} p`)
})

test('tags and notes of a person are saved, the person is muted by a key, and both are undone', async () => {
  const { page, seeded, get } = await opened(({ person }) => `/people/${person}`)
  const noted = async () => (await get(`/v1/people/${seeded.person}`)).annotations
  await seeText(page, 'Newest mentions')
  await pressKeys(page, 't')
  await page.keyboard.type('customer,big deal')
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Notes' }).fill('Met at the fair.')
  await pressNamed(page, 'button', 'Save')
  await seeText(page, 'Tags and notes of Ada Lovelace are saved')
  expect(await noted()).toEqual({ tags: ['customer', 'big deal'], notes: 'Met at the fair.', muted: false })
  await leaveField(page)
  await pressKeys(page, 'M')
  await seeText(page, 'Ada Lovelace is muted')
  expect(await noted()).toMatchObject({ muted: true })
  await seeText(page, /^Post \d+ about kettles/)
  await pressKeys(page, 'z')
  await seeText(page, 'Undone: Ada Lovelace is muted')
  await pressKeys(page, 'z')
  await seeText(page, 'Undone: Tags and notes of Ada Lovelace are saved')
  expect(await noted()).toEqual({ tags: [], notes: '', muted: false })
})

test('two people are merged and parted again, with their own notes', async () => {
  const { page, seeded, get, api } = await opened(({ person }) => `/people/${person}`)
  await api('PATCH', `/v1/people/${seeded.other}`, { tags: ['rival'], notes: 'Knows kettles.' })
  await pressNamed(page, 'button', 'Merge with another person')
  await seeText(page, /All accounts of the other person become accounts of Ada Lovelace/)
  await page.getByLabel('Other person').fill('bob')
  await pressNamed(page, 'button', 'Merge Bob')
  await seeText(page, 'Bob is merged into Ada Lovelace')
  const merged = await get(`/v1/people/${seeded.other}`)
  expect(merged).toMatchObject({ id: seeded.person, annotations: { tags: ['rival'], notes: 'Knows kettles.' } })
  await page.getByRole('button', { name: 'Separate Bob from this person' }).waitFor()
  await shoot(page, 'person-merged')
  await leaveField(page)
  await pressKeys(page, 'z')
  await seeText(page, 'Undone: Bob is merged into Ada Lovelace')
  expect((await get(`/v1/people/${seeded.other}`)).annotations).toMatchObject({ tags: ['rival'] })
  expect((await get(`/v1/people/${seeded.person}`)).annotations).toEqual({ tags: [], notes: '', muted: false })
  await seeNoText(page, 'Separate')
})

test('an account is separated, and merged again by undo', async () => {
  const { page, seeded, get, api } = await opened(() => '/people')
  await api('POST', `/v1/people/${seeded.other}/merge`, { into: seeded.person })
  await seeText(page, 'Ada Lovelace')
  await page.getByRole('link', { name: /Ada Lovelace/ }).click()
  await pressNamed(page, 'button', 'Separate Bob from this person')
  await seeText(page, 'Bob is a person again')
  expect((await get(`/v1/people/${seeded.other}`)).id).toBe(seeded.other)
  await pressKeys(page, 'z')
  await seeText(page, 'Undone: Bob is a person again')
  expect((await get(`/v1/people/${seeded.other}`)).id).toBe(seeded.person)
})

test('a mention leads to its person by a key, and a person to their mentions', async () => {
  const { page, seeded } = await opened(({ person }) => `/people/${person}`)
  await seeText(page, /^Post \d+ about kettles/)
  await page
    .getByRole('link', { name: /^Post \d+ about kettles/ })
    .first()
    .click()
  await seeText(page, 'Open the post')
  await pressKeys(page, 'p')
  await seeAddress(page, `/people/${seeded.person}`)
  await pressNamed(page, 'link', 'Open all in the inbox')
  await seeAddress(page, `/inbox?personId=${seeded.person}`)
  await seeText(page, /relevant of 10/)
  await pressKeys(page, 'g p')
  await seeAddress(page, '/people')
})

test('a segment is made, changed, undone and deleted', async () => {
  const { page, get } = await opened(() => '/segments')
  await seeText(page, 'Loud critics')
  await pressNamed(page, 'link', 'New segment')
  await page.getByLabel('Name', { exact: true }).fill('Fans')
  await page.getByRole('group', { name: 'Wrote with intent' }).getByLabel('praise').check()
  await pressNamed(page, 'button', 'Create the segment')
  await seeText(page, 'The segment Fans is created')
  await page.waitForURL(/\/segments\/seg_/)
  const id = new URL(page.url()).pathname.split('/').at(-1)
  await page.getByLabel('Mentions from', { exact: true }).fill('9')
  await pressNamed(page, 'button', 'Save the segment')
  await seeText(page, 'The segment Fans is saved')
  expect((await get(`/v1/segments/${id}`)).filter).toEqual({ intents: ['praise'], minMentions: 9 })
  await leaveField(page)
  await pressKeys(page, 'z')
  await seeText(page, 'Undone: The segment Fans is saved')
  expect((await get(`/v1/segments/${id}`)).filter).toEqual({ intents: ['praise'] })
  await pressNamed(page, 'link', 'All segments')
  await pressNamed(page, 'button', 'Actions for Fans')
  await pressNamed(page, 'menuitem', 'Delete the segment')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete the segment' }).click()
  await seeText(page, 'The segment Fans is deleted')
  await pressKeys(page, 'g p')
  await page.getByLabel('Segment', { exact: true }).selectOption('Loud critics')
  await page.waitForURL(/\/people\?segmentId=seg_/)
})

test('a name that is taken is refused at its field, and a change of a colleague is not lost', async () => {
  const { page, seeded, get, api } = await opened(({ segment }) => `/segments/${segment}`, [/409/])
  await api('POST', '/v1/segments', { name: 'Fans' })
  await page.getByLabel('Name', { exact: true }).fill('Fans')
  await pressNamed(page, 'button', 'Save the segment')
  await seeText(page, 'A segment with this name exists.')
  expect(await page.getByLabel('Name', { exact: true }).getAttribute('aria-invalid')).toBe('true')
  await page.getByLabel('Name', { exact: true }).fill('Critics')
  await api('PATCH', `/v1/segments/${seeded.segment}`, { description: 'Mine now.' })
  await pressNamed(page, 'button', 'Save the segment')
  await seeText(page, 'Somebody else changed the segment meanwhile.')
  await pressNamed(page, 'button', 'Save my version')
  await seeText(page, 'The segment Critics is saved')
  expect(await get(`/v1/segments/${seeded.segment}`)).toMatchObject({ name: 'Critics', description: 'Mine now.' })
})
