import { beforeEach, expect, test } from 'vitest'
import { useFreshWorkspace, useWorld } from '../../../test/use-world.ts'
import { MINUTE_MS } from '../../kernel/clock.ts'

const world = useWorld()
beforeEach(() => world.clock.advance(MINUTE_MS))
const acme = useFreshWorkspace(world, 'Acme')

const create = (body: object, workspace = acme) => workspace.api('POST', '/v1/views', body)
const told = ({ status, body }: { status: number; body: { error: { code: string; message: string } } }) => [
  status,
  body.error.code,
  body.error.message,
]

test('a change replaces the whole filter, moves the version, and is refused to who has read an older one', async () => {
  const { body } = await create({ name: 'One', filter: { platforms: ['x'], minLikes: 3 } })
  await world.clock.advance(MINUTE_MS)
  const changed = (await acme.api('PATCH', `/v1/views/${body.id}`, { filter: { languages: ['de'] }, ifVersion: 1 }))
    .body
  expect(changed).toEqual({
    ...body,
    filter: { languages: ['de'] },
    version: 2,
    updatedAt: world.clock.now().toISOString(),
  })
  expect(told(await acme.api('PATCH', `/v1/views/${body.id}`, { name: 'Two', ifVersion: 1 })).slice(0, 2)).toEqual([
    409,
    'stale_version',
  ])
  expect((await acme.api('PATCH', `/v1/views/${body.id}`, { description: null })).body).toEqual(changed)
  expect((await acme.api('PATCH', `/v1/views/${body.id}`, { filter: null })).body).toMatchObject({
    filter: {},
    version: 3,
  })
})
