import { expect, test } from 'vitest'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

test('a revoked key is refused from the next request on', async () => {
  const { body } = await acme.api('POST', '/v1/api-keys', { name: 'Lost' })
  expect((await acme.api('GET', '/v1/whoami', undefined, { key: body.key })).status).toBe(200)
  expect(await acme.api('DELETE', `/v1/api-keys/${body.id}`)).toMatchObject({ status: 204, body: null })
  expect((await acme.api('GET', '/v1/whoami', undefined, { key: body.key })).status).toBe(401)
})

test('a key is revoked once', async () => {
  const { body } = await acme.api('POST', '/v1/api-keys', { name: 'Once' })
  await acme.api('DELETE', `/v1/api-keys/${body.id}`)
  const again = await acme.api('DELETE', `/v1/api-keys/${body.id}`)
  expect([again.status, again.body.error.code]).toEqual([404, 'not_found'])
})

test('a key may revoke itself', async () => {
  const { body } = await acme.api('POST', '/v1/api-keys', { name: 'Self' })
  expect((await acme.api('DELETE', `/v1/api-keys/${body.id}`, undefined, { key: body.key })).status).toBe(204)
  expect((await acme.api('DELETE', `/v1/api-keys/${body.id}`, undefined, { key: body.key })).status).toBe(401)
})
