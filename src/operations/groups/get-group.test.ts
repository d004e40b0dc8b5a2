import { expect, test } from 'vitest'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

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
