import { expect, test } from 'vitest'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

test('fields that are sent change, others stay, null clears', async () => {
  const { body: made } = await acme.api('POST', '/v1/groups', { name: 'Before', externalId: 'e', context: 'c' })
  await world.clock.advance(1000)
  const renamed = await acme.api('PATCH', `/v1/groups/${made.id}`, { name: 'After' })
  expect(renamed).toMatchObject({
    status: 200,
    body: { ...made, name: 'After', updatedAt: world.clock.now().toISOString() },
  })
  const cleared = await acme.api('PATCH', `/v1/groups/${made.id}`, { externalId: null, context: null })
  expect(cleared.body).toMatchObject({ name: 'After', externalId: null, context: '' })
})

test('a change that changes nothing leaves the time of the last change', async () => {
  const { body: made } = await acme.api('POST', '/v1/groups', { name: 'Quiet', externalId: 'quiet', context: 'c' })
  await world.clock.advance(1000)
  for (const change of [{}, { name: 'Quiet' }, { externalId: 'quiet', context: 'c' }])
    expect((await acme.api('PATCH', `/v1/groups/${made.id}`, change)).body).toEqual(made)
})

test('a name may change in letter case only', async () => {
  const id = await acme.group('shout')
  expect((await acme.api('PATCH', `/v1/groups/${id}`, { name: 'SHOUT' })).body.name).toBe('SHOUT')
})

test('the name and the externalId of another group are refused', async () => {
  await acme.api('POST', '/v1/groups', { name: 'Held', externalId: 'held' })
  const id = await acme.group('Wanting')
  for (const body of [{ name: 'HELD' }, { externalId: 'held' }]) {
    const answer = await acme.api('PATCH', `/v1/groups/${id}`, body)
    expect([answer.status, answer.body.error.code]).toEqual([409, 'duplicate_group'])
  }
})

test('the default group takes a name but no context', async () => {
  const { id } = (await acme.api('GET', '/v1/groups')).body.data[0]
  expect((await acme.api('PATCH', `/v1/groups/${id}`, { name: 'Everything' })).body).toMatchObject({
    name: 'Everything',
    isDefault: true,
  })
  for (const context of ['We make rockets.', null]) {
    const { status, body } = await acme.api('PATCH', `/v1/groups/${id}`, { name: 'Other', context })
    expect([status, body.error.code]).toEqual([400, 'default_group_context'])
  }
  expect((await acme.api('GET', `/v1/groups/${id}`)).body.name).toBe('Everything')
})

test.each([
  [{ name: null }, 'name: must be text'],
  [{ name: '' }, 'name: must not be empty'],
  [{ isDefault: true }, 'isDefault: is not a field of this operation'],
])('%j is refused by naming the field', async (body, message) => {
  const id = (await acme.api('GET', '/v1/groups')).body.data[0].id
  const answer = await acme.api('PATCH', `/v1/groups/${id}`, body)
  expect([answer.status, answer.body.error.message]).toEqual([400, message])
})

test('a change needs a body', async () => {
  const id = (await acme.api('GET', '/v1/groups')).body.data[0].id
  expect((await acme.api('PATCH', `/v1/groups/${id}`)).body.error.message).toBe('body: is required')
})
