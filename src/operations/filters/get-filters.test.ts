import { expect, test } from 'vitest'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

test('before any are set the filters are empty, in version 1', async () => {
  const { body } = await acme.api('GET', '/v1/filters', undefined, { key: acme.readKey })
  const empty = { excludedTerms: [], excludedAuthors: [], excludedRepos: [], subreddits: { only: [], excluded: [] } }
  expect(body).toEqual({ ...empty, version: 1, updatedAt: world.clock.now().toISOString() })
})
