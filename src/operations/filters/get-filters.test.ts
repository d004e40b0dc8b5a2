import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type TestWorkspace, type World } from '../../../test/world.ts'

let world: World
let acme: TestWorkspace
beforeAll(async () => {
  world = await createWorld()
  acme = await world.workspace('Acme')
})
afterAll(() => world.close())

test('before any are set the filters are empty, in version 1', async () => {
  const { body } = await acme.api('GET', '/v1/filters', undefined, { key: acme.readKey })
  const empty = { excludedTerms: [], excludedAuthors: [], excludedRepos: [], subreddits: { only: [], excluded: [] } }
  expect(body).toEqual({ ...empty, version: 1, updatedAt: world.clock.now().toISOString() })
})
