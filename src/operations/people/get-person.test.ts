import { expect, test } from 'vitest'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { writes } from './authors.suite.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

test('a person is read as the list shows them', async () => {
  const id = await writes(world, acme, 'ada')
  const { status, body } = await acme.api('GET', `/v1/people/${id}`)
  expect([status, body]).toEqual([200, (await acme.api('GET', '/v1/people')).body.data[0]])
})

test('the id on a mention is that of the person, with their tags, and finds their mentions', async () => {
  const id = await writes(world, acme, 'grace')
  await acme.api('PATCH', `/v1/people/${id}`, { tags: ['VIP'] })
  const { body } = await acme.api('GET', `/v1/mentions?personId=${id}`)
  expect(
    body.data.map(({ author }: { author: { personId: string; tags: string[] } }) => [author.personId, author.tags]),
  ).toEqual([[id, ['VIP']]])
})
