import { expect, test } from 'vitest'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

test('before anything is told the company is empty, in version 1, and as old as the workspace', async () => {
  const madeAt = world.clock.now().toISOString()
  await world.clock.advance(60_000)
  const empty = {
    name: '',
    description: '',
    useCases: [],
    competitors: [],
    accounts: { x: null, linkedin: null },
    website: null,
    guidelines: '',
    context: '',
  }
  expect((await acme.api('GET', '/v1/company')).body).toEqual({ ...empty, version: 1, updatedAt: madeAt })
})

test('a read key may read it and not change it', async () => {
  expect((await acme.api('GET', '/v1/company', undefined, { key: acme.readKey })).status).toBe(200)
  expect((await acme.api('PATCH', '/v1/company', { name: 'X' }, { key: acme.readKey })).body.error.code).toBe(
    'read_only_key',
  )
})
