import { expect, test } from 'vitest'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

const make = async (name: string, filter: object = {}) =>
  (await acme.api('POST', '/v1/segments', { name, filter })).body
const patch = (id: string, body: object) => acme.api('PATCH', `/v1/segments/${id}`, body)

test('fields that are sent change, the filter as a whole, and the version grows', async () => {
  const made = await make('Before', { minMentions: 2, muted: false })
  await world.clock.advance(1000)
  const { body } = await patch(made.id, { name: 'After', filter: { muted: true }, description: 'New.', ifVersion: 1 })
  expect(body).toEqual({
    ...made,
    name: 'After',
    filter: { muted: true },
    description: 'New.',
    version: 2,
    updatedAt: world.clock.now().toISOString(),
  })
  expect((await patch(made.id, { description: null })).body).toMatchObject({
    description: '',
    version: 3,
    filter: { muted: true },
  })
  expect((await patch(made.id, { filter: null })).body).toMatchObject({ filter: {}, version: 4 })
})

test('a change that changes nothing leaves version and time', async () => {
  const made = await make('Quiet', { tags: ['a'], minMentions: 1 })
  await world.clock.advance(1000)
  for (const change of [{}, { name: 'Quiet' }, { filter: { minMentions: 1, tags: ['a'] } }])
    expect((await patch(made.id, change)).body).toEqual(made)
})

test('a change of what was changed meanwhile is refused', async () => {
  const { id } = await make('Contended')
  await patch(id, { description: 'Theirs.' })
  const { status, body } = await patch(id, { description: 'Mine.', ifVersion: 1 })
  expect([status, body.error.code]).toEqual([409, 'stale_version'])
  expect((await acme.api('GET', `/v1/segments/${id}`)).body.description).toBe('Theirs.')
})

test('the name of another segment is refused, its own in other letters is not', async () => {
  await make('Held')
  const { id } = await make('mine')
  expect((await patch(id, { name: 'HELD' })).body.error.code).toBe('duplicate_segment')
  expect((await patch(id, { name: 'MINE' })).body.name).toBe('MINE')
})
