import { expect, test } from 'vitest'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

test('a view that is removed is gone for lists, filters and its feed, and its name is free again', async () => {
  const { body } = await acme.api('POST', '/v1/views', { name: 'Going' })
  expect((await acme.api('DELETE', `/v1/views/${body.id}`)).status).toBe(204)
  expect((await acme.api('GET', '/v1/views')).body.data).toEqual([])
  for (const path of [`/v1/views/${body.id}`, `/v1/mentions?viewId=${body.id}`])
    expect((await acme.api('GET', path)).body.error.code).toBe('not_found')
  expect((await acme.api('DELETE', `/v1/views/${body.id}`)).status).toBe(404)
  expect((await acme.api('POST', '/v1/views', { name: 'going' })).status).toBe(201)
})
