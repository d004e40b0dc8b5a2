import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createWorld, type TestWorkspace, type World } from '../../../test/world.ts'
import { MINUTE_MS } from '../../kernel/clock.ts'

let world: World
let acme: TestWorkspace
beforeAll(async () => {
  world = await createWorld()
})
beforeEach(async () => {
  await world.clock.advance(MINUTE_MS)
  acme = await world.workspace('Acme')
})
afterAll(() => world.close())

const create = (body: object, one = acme) => one.api('POST', '/v1/views', body)

test('views are listed oldest first, and another workspace sees none of them', async () => {
  const names = ['Zebra', 'ape', 'Bee']
  for (const name of names) await create({ name })
  expect((await acme.api('GET', '/v1/views')).body.data.map(({ name }: { name: string }) => name)).toEqual(names)
  expect((await (await world.workspace('Other')).api('GET', '/v1/views')).body).toEqual({ data: [] })
})
