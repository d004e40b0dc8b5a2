import { expect, test } from 'vitest'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

test('a segment is read as it was made', async () => {
  const { body: made } = await acme.api('POST', '/v1/segments', { name: 'Read', filter: { since: 1_700_000_000_000 } })
  expect(made.filter).toEqual({ since: '2023-11-14T22:13:20.000Z' })
  expect(await acme.api('GET', `/v1/segments/${made.id}`)).toMatchObject({ status: 200, body: made })
})
