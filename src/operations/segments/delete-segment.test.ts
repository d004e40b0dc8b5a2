import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type TestWorkspace, type World } from '../../../test/world.ts'

let world: World
let acme: TestWorkspace
beforeAll(async () => {
  world = await createWorld()
  acme = await world.workspace('Acme')
})
afterAll(() => world.close())

test('a segment that is deleted is gone, and its name is free', async () => {
  const { body: made } = await acme.api('POST', '/v1/segments', { name: 'Gone' })
  expect((await acme.api('DELETE', `/v1/segments/${made.id}`)).status).toBe(204)
  for (const method of ['GET', 'DELETE']) expect((await acme.api(method, `/v1/segments/${made.id}`)).status).toBe(404)
  expect((await acme.api('POST', '/v1/segments', { name: 'Gone' })).status).toBe(201)
})
