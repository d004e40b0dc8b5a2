import { beforeEach, expect, test } from 'vitest'
import { useFreshWorkspace, useWorld } from '../../../test/use-world.ts'
import { MINUTE_MS } from '../../kernel/clock.ts'

const world = useWorld()
beforeEach(() => world.clock.advance(MINUTE_MS))
const acme = useFreshWorkspace(world, 'Acme')

const create = (body: object, workspace = acme) => workspace.api('POST', '/v1/views', body)

test('views are listed oldest first, and another workspace sees none of them', async () => {
  const names = ['Zebra', 'ape', 'Bee']
  for (const name of names) await create({ name })
  expect((await acme.api('GET', '/v1/views')).body.data.map(({ name }: { name: string }) => name)).toEqual(names)
  expect((await (await world.workspace('Other')).api('GET', '/v1/views')).body).toEqual({ data: [] })
})
