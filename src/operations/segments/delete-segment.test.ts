import { expect, test } from 'vitest'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

test('a segment that is deleted is gone, and its name is free', async () => {
  const { body: made } = await acme.api('POST', '/v1/segments', { name: 'Gone' })
  expect((await acme.api('DELETE', `/v1/segments/${made.id}`)).status).toBe(204)
  for (const method of ['GET', 'DELETE']) expect((await acme.api(method, `/v1/segments/${made.id}`)).status).toBe(404)
  expect((await acme.api('POST', '/v1/segments', { name: 'Gone' })).status).toBe(201)
})
