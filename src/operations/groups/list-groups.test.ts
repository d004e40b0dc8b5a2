import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type TestWorkspace, type World } from '../../../test/world.ts'

let world: World
let acme: TestWorkspace
beforeAll(async () => {
  world = await createWorld()
  acme = await world.workspace('Acme')
})
afterAll(() => world.close())

test('the default group comes first, then the oldest', async () => {
  const first = await acme.group('Zebra')
  await world.clock.advance(1)
  const second = await acme.group('Ant')
  const { status, body } = await acme.api('GET', '/v1/groups')
  expect(status).toBe(200)
  expect(body.data.map(({ id, isDefault }: { id: string; isDefault: boolean }) => [isDefault, isDefault ? 'default' : id])).toEqual([
    [true, 'default'],
    [false, first],
    [false, second],
  ])
})

test('a new workspace has just its default group', async () => {
  const { body } = await (await world.workspace('New')).api('GET', '/v1/groups')
  expect(body.data).toMatchObject([{ name: 'Default', isDefault: true, externalId: null, context: '', stats: { keywords: 0, active: 0 } }])
})

test('an externalId is looked up exactly', async () => {
  const { body: made } = await acme.api('POST', '/v1/groups', { name: 'External', externalId: 'Crm-7' })
  expect((await acme.api('GET', '/v1/groups?externalId=Crm-7')).body).toEqual({ data: [made] })
  for (const other of ['crm-7', '%20Crm-7', 'Crm-7%20']) expect((await acme.api('GET', `/v1/groups?externalId=${other}`)).body).toEqual({ data: [] })
})

test('an empty externalId is refused', async () => {
  expect((await acme.api('GET', '/v1/groups?externalId=')).body.error.message).toBe('externalId: must not be empty')
})
