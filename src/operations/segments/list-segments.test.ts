import { expect, test } from 'vitest'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { writes } from '../people/authors.suite.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

test('segments come oldest first, each with the people who are in it now', async () => {
  expect((await acme.api('GET', '/v1/segments')).body).toEqual({ data: [] })
  const filters = [{}, { minMentions: 2 }, { tags: ['VIP'] }, { q: '?!' }, { muted: true }]
  for (const [at, filter] of filters.entries())
    await acme.api('POST', '/v1/segments', { name: `Segment ${at}`, filter })
  await writes(world, acme, 'ada', { mentions: 2 })
  const grace = await writes(world, acme, 'grace')
  await acme.api('PATCH', `/v1/people/${grace}`, { tags: ['VIP'], muted: true })
  await writes(world, await world.workspace('Other'), 'stranger')
  const { body } = await acme.api('GET', '/v1/segments')
  expect(body.data.map(({ name, count }: { name: string; count: number }) => [name, count])).toEqual([
    ['Segment 0', 2],
    ['Segment 1', 1],
    ['Segment 2', 1],
    ['Segment 3', 0],
    ['Segment 4', 1],
  ])
})

test('the list is asked for only so often a minute, because it counts everybody for each segment', async () => {
  const workspace = await world.workspace('Asks much')
  for (let n = 0; n < 30; n += 1) expect((await workspace.api('GET', '/v1/segments')).status).toBe(200)
  const { status, body } = await workspace.api('GET', '/v1/segments')
  expect([status, body.error.code]).toEqual([429, 'rate_limited'])
})
