import { expect, test } from 'vitest'
import { useWorkspace, useWorld } from '../../test/use-world.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

test.each([
  ['minFollowers=10&maxFollowers=9', 'maxFollowers: must not be below minFollowers'],
  ['minRelevance=50&maxRelevance=49.5', 'maxRelevance: must not be below minRelevance'],
  ['createdSince=2026-11-02&createdUntil=2026-11-02', 'createdUntil: must be after createdSince'],
  ['since=2026-11-02&until=2026-11-01', 'until: must be after since'],
  ['since=2026-11-02T00:00:00Z&until=2026-11-02', 'until: must be after since'],
])('%s leaves nothing, and every list of mentions says so', async (query, message) => {
  for (const path of ['', '/count', '/export.json', '/export.csv', '/stream']) {
    const { status, body } = await acme.api('GET', `/v1/mentions${path}?${query}`)
    expect([path, status, body.error?.message]).toEqual([path, 400, message])
  }
})

test('bounds that meet are none that contradict, and neither are those of other lists', async () => {
  expect(
    (await acme.api('GET', '/v1/mentions?minFollowers=10&maxFollowers=10&since=2026-11-01&until=2026-11-02')).status,
  ).toBe(200)
  expect((await acme.api('GET', '/v1/people?minFollowers=10&maxFollowers=10')).status).toBe(200)
  const { body } = await acme.api('GET', '/v1/people?minFollowers=11&maxFollowers=10')
  expect(body.error).toMatchObject({
    code: 'validation_error',
    message: 'maxFollowers: must not be below minFollowers',
  })
})

test('filters that are kept are checked alike, the alternatives in them too', async () => {
  const nobody = { minFollowers: 11, maxFollowers: 10 }
  const told = async (path: string, body: unknown) => (await acme.api('POST', path, body)).body.error?.message
  const rule = { name: 'Rule', mode: 'instant', channelIds: [], enabled: false }
  const reason = 'must not be below minFollowers'
  expect(await told('/v1/views', { name: 'View', filter: nobody })).toBe(`filter.maxFollowers: ${reason}`)
  expect(await told('/v1/views', { name: 'View', filter: { anyOf: [{ isReply: true }, nobody] } })).toBe(
    `filter.anyOf.1.maxFollowers: ${reason}`,
  )
  expect(await told('/v1/alerts', { ...rule, filter: nobody })).toBe(`filter.maxFollowers: ${reason}`)
  const belowFloor = 'must be at least 40 without minRelevance, because a rule then sends relevant mentions only'
  expect(await told('/v1/alerts', { ...rule, filter: { maxRelevance: 39 } })).toBe(`filter.maxRelevance: ${belowFloor}`)
  expect(await told('/v1/segments', { name: 'Segment', filter: nobody })).toBe(`filter.maxFollowers: ${reason}`)
  const query = encodeURIComponent(JSON.stringify([nobody]))
  expect((await acme.api('GET', `/v1/mentions?anyOf=${query}`)).body.error.message).toBe(
    `anyOf.0.maxFollowers: ${reason}`,
  )
})
