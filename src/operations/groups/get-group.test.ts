import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type TestWorkspace, type World } from '../../../test/world.ts'

let world: World
let acme: TestWorkspace
beforeAll(async () => {
  world = await createWorld()
  acme = await world.workspace('Acme')
})
afterAll(() => world.close())

test('a group is read as it was made', async () => {
  const { body: made } = await acme.api('POST', '/v1/groups', { name: 'Read', externalId: 'r' })
  expect(await acme.api('GET', `/v1/groups/${made.id}`)).toMatchObject({ status: 200, body: made })
})

test('a group that is gone is not found', async () => {
  const id = await acme.group('Gone')
  await acme.api('DELETE', `/v1/groups/${id}`)
  const { status, body } = await acme.api('GET', `/v1/groups/${id}`)
  expect([status, body.error.code]).toEqual([404, 'not_found'])
})
