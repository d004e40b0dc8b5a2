import { beforeEach, expect, test } from 'vitest'
import type { Browser } from '../../../test/browser.ts'
import { createPerson, type Person } from '../../../test/people.ts'
import { makeAttentionItem } from '../../../test/rows.ts'
import { useResource } from '../../../test/use-world.ts'
import { toId, type Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import { createHouse } from './house.suite.ts'

const house = useResource(createHouse)

let acme: Uuid
let member: Person
beforeEach(async () => {
  acme = await house.workspace('Acme')
  member = await createPerson(house.services, acme, 'member')
})

async function item(label: string, workspaceId = acme, resolved = false): Promise<string> {
  const at = house.services.clock.now()
  const data = { channel: { label }, failures: 5 }
  return toId(
    'att',
    await makeAttentionItem(house.services, workspaceId, { kind: 'channel.failing', data, at, resolved }),
  )
}

async function at(path: string, person = member): Promise<Browser> {
  const browser = house.browser({ session: person.sessionSecret })
  await browser.open(path)
  return browser
}

const sayings = ({ view }: Browser) =>
  [...view.document.querySelectorAll('main strong')].map((item) => item.textContent)
const titled = (label: string) => `The channel “${label}” accepts no deliveries: the last 5 deliveries failed`

test('members see what is open in their workspace, the newest first, and dismiss it', async () => {
  await item('old')
  await item('new')
  await item('over', acme, true)
  await item('foreign', await house.workspace('Other'))
  const browser = await at('/attention')
  expect(sayings(browser)).toEqual([titled('new'), titled('old')])
  const view = await browser.press(`Dismiss: ${titled('new')}`)
  expect(view.address).toBe('https://earshot.test/attention?dismissed')
  expect(view.text).toContain('It is dismissed.')
  expect(sayings(browser)).toEqual([titled('old')])
})

test('an address in a message leads to what it tells of, after signing in, also when that is over', async () => {
  const [lasting, over] = [await item('lasting'), await item('over', acme, true)]
  expect((await at(`/attention?item=${lasting}`)).view.document.querySelector('main h2').textContent).toBe(
    'A failing channel',
  )
  expect(sayings(await at(`/attention?item=${over}`))).toEqual([titled('over'), titled('lasting')])
  const stranger = house.browser()
  expect((await stranger.open(`/attention?item=${lasting}`)).address).toBe(
    `https://earshot.test/sign-in?next=${encodeURIComponent(`/attention?item=${lasting}`)}`,
  )
})

test('what belongs to another workspace, is gone or was made up is not shown', async () => {
  const foreign = await item('foreign', await house.workspace('Other'))
  const before = await house.services.db.query(
    sql`select from attention_item where dismissed_at is not null and workspace_id <> ${acme}`,
  )
  for (const wanted of [foreign, 'att_nonsense', '%22%3E%3Cscript%3E']) {
    const { view } = await at(`/attention?item=${wanted}`)
    expect([view.status, view.text.includes('is not in this workspace any more')]).toEqual([200, true])
    expect(view.text).not.toContain('foreign')
  }
  await item('own')
  const browser = await at('/attention')
  const refused = await browser.post(`/attention/${foreign}/dismiss`, { workspace: toId('org', acme) })
  expect(refused.status).toBe(404)
  const dismissed = await house.services.db.query(
    sql`select from attention_item where dismissed_at is not null and workspace_id <> ${acme}`,
  )
  expect(dismissed).toHaveLength(before.length)
})
