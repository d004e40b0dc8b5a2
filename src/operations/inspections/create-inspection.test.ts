import { beforeEach, expect, test } from 'vitest'
import { useFreshWorkspace, useWorld } from '../../../test/use-world.ts'
import { PUBLIC_URL } from '../../../test/world.ts'
import { DAY_MS, MINUTE_MS, plus } from '../../kernel/clock.ts'
import { forgetInspections } from '../../store/channel/inspections.ts'
import { sql } from '../../store/database.ts'

const world = useWorld()
beforeEach(() => world.clock.advance(MINUTE_MS))
const acme = useFreshWorkspace(world, 'Acme')

const create = async (name: string) => (await acme.api('POST', '/v1/inspections', { name })).body
const statusOf = async (id: string) => (await acme.api('GET', `/v1/inspections/${id}`)).status
const post = (url: string) => fetch(url.replace(PUBLIC_URL, world.origin), { method: 'POST', body: '{}' })

test('the address is shown once, and lies nowhere in the database', async () => {
  const inbox = await create('Trial')
  expect(inbox).toEqual({
    id: expect.stringMatching(/^insp_/),
    name: 'Trial',
    url: expect.stringMatching(new RegExp(`^${PUBLIC_URL}/inspect/ein_[A-Za-z0-9_-]{43}$`)),
    createdAt: world.clock.now().toISOString(),
    expiresAt: plus(world.clock.now(), DAY_MS).toISOString(),
  })
  await post(inbox.url)
  const token = inbox.url.split('/').at(-1)
  const shown = (await acme.api('GET', `/v1/inspections/${inbox.id}`)).body
  const rows = await world.db.query(sql`select i::text, r::text from inspection i join inspected_request r
    on r.workspace_id = i.workspace_id and r.inspection_id = i.id`)
  expect([shown.requests.length, rows.length]).toEqual([1, 1])
  expect(JSON.stringify([shown, rows])).not.toContain(token)
})

test('a sixth inbox replaces the oldest', async () => {
  const oldest = await create('1')
  for (const name of ['2', '3', '4', '5']) await create(name)
  expect(await statusOf(oldest.id)).toBe(200)
  await create('6')
  expect([await statusOf(oldest.id), (await post(oldest.url)).status]).toEqual([404, 404])
})

test('an inbox that has ended is deleted with its requests', async () => {
  const inbox = await create('Trial')
  await post(inbox.url)
  await world.clock.advance(DAY_MS)
  expect(await forgetInspections(world.db, world.clock.now())).toBeGreaterThan(0)
  expect(
    await world.db.query(sql`
    select 1 from inspected_request where workspace_id = ${acme.workspaceId}`),
  ).toEqual([])
})

test('a key that only reads may not create one', async () => {
  const { body } = await acme.api('POST', '/v1/inspections', { name: 'Trial' }, { key: acme.readKey })
  expect(body.error.code).toBe('read_only_key')
})
