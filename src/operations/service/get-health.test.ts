import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type World } from '../../../test/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

test('health is told without a credential and without the database', async () => {
  expect(await world.api('GET', '/v1/health')).toMatchObject({ status: 200, body: { status: 'ok', version: '0.0.1' } })
  expect((await world.api('GET', '/v1/health')).headers.get('x-ratelimit-limit')).toBeNull()
})
