import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type TestWorkspace, type World } from '../../../test/world.ts'

let world: World
let acme: TestWorkspace
beforeAll(async () => {
  world = await createWorld()
  acme = await world.workspace('Acme')
})
afterAll(() => world.close())

test('a segment is read as it was made', async () => {
  const { body: made } = await acme.api('POST', '/v1/segments', { name: 'Read', filter: { since: 1_700_000_000_000 } })
  expect(made.filter).toEqual({ since: '2023-11-14T22:13:20.000Z' })
  expect(await acme.api('GET', `/v1/segments/${made.id}`)).toMatchObject({ status: 200, body: made })
})
