import { describe, expect, test } from 'vitest'
import { useFreshWorkspace, useWorld } from '../../../../test/use-world.ts'
import { compatOf, makeKeyword, makeMention } from '../compat.suite.ts'

const world = useWorld()
const acme = useFreshWorkspace(world, 'Acme')
const call: ReturnType<typeof compatOf>['call'] = (...args) => compatOf(acme).call(...args)
const simple = (...conditions: [field: string, values: string, operator?: string | undefined][]) => ({
  simpleFilters: {
    conditions: conditions.map(([field, values, operator]) => ({ field, values, ...(operator ? { operator } : {}) })),
  },
})
const create = (name: string, more: object = {}) => call('POST', '/feeds', { name, icon: 'BellIcon', ...more })
const viewOf = async (name: string) =>
  (await acme.api('GET', '/v1/views')).body.data.find((view: { name: string }) => view.name === name)

test('feeds are views', async () => {
  const { body: made } = await create('All')
  expect(made).toEqual({
    id: expect.any(Number),
    name: 'All',
    icon: 'BellIcon',
    simpleFilters: { conditions: [] },
    advancedFilters: null,
    isDefault: false,
    destinations: [],
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  })
  expect((await viewOf('All')).filter).toEqual({})
  const { body: changed } = await call(
    'PATCH',
    `/feeds/${made.id}`,
    simple(['Source', 'twitter, dev'], ['Sentiment', 'negative']),
  )
  expect(changed.simpleFilters).toEqual({
    conditions: [
      { field: 'Source', values: 'twitter,dev' },
      { field: 'Sentiment', values: 'negative' },
    ],
  })
  expect((await viewOf('All')).filter).toEqual({ platforms: ['x', 'devto'], sentiments: ['negative'] })
  expect((await call('PATCH', `/feeds/${made.id}`, { name: 'Renamed' })).body).toMatchObject({
    name: 'Renamed',
    simpleFilters: changed.simpleFilters,
  })
  expect((await call('GET', `/feeds/${made.id}`)).body.name).toBe('Renamed')
  expect((await call('GET', '/feeds?excludeWithNotifications=true')).body).toMatchObject({
    data: [{ id: made.id }],
    pagination: { nextCursor: null },
  })
  expect((await call('DELETE', `/feeds/${made.id}`)).body).toEqual({
    ok: true,
    id: made.id,
    deletedNotificationIds: [],
  })
  for (const method of ['GET', 'DELETE'])
    expect((await call(method, `/feeds/${made.id}`)).body.error).toMatchObject({ status: 404, code: 'FEED_NOT_FOUND' })
})

describe('Feed fields', () => {
  test('are stored as what they say, and read back', async () => {
    const keyword = await makeKeyword(acme)
    const number = await compatOf(acme).numberOf(keyword)
    const groups = [
      {
        group_operator: 'AND',
        conditions: [
          { field: 'Keywords', operator: 'in', values: String(number) },
          { field: 'Source', operator: 'not in', values: 'reddit_comment' },
        ],
      },
      {
        group_operator: 'AND',
        conditions: [
          { field: 'Language', operator: 'equals', values: 'en' },
          { field: 'Tags', operator: 'not in', values: 'promotional,own_brand_mention' },
          { field: 'TwitterFollowerCount', operator: '>=', values: '100' },
          { field: 'RelevantOnly', operator: '=', values: '1' },
          { field: 'Engaged', operator: 'in', values: 'true' },
        ],
      },
    ]
    const { status, body } = await create('Advanced', { advancedFilters: { top_level_operator: 'OR', groups } })
    expect(status).toBe(201)
    expect((await viewOf('Advanced')).filter).toEqual({
      anyOf: [
        { keywordIds: [keyword.shown.id], notPlatforms: ['reddit'] },
        { keywordIds: [keyword.shown.id], platforms: ['reddit'], isReply: false },
        { languages: ['en'], notIntents: ['promotional'], minFollowers: 100, minRelevance: 40, status: 'done' },
      ],
    })
    expect(body.simpleFilters).toBeNull()
    expect(body.advancedFilters.top_level_operator).toBe('OR')
    const sent = await create('Again', { advancedFilters: body.advancedFilters })
    expect((await viewOf('Again')).filter).toEqual((await viewOf('Advanced')).filter)
    expect(sent.body.advancedFilters).toEqual(body.advancedFilters)
  })

  test.each([
    ['RelevanceScore', '0', 'in', { minRelevance: 70 }],
    ['RelevanceScore', '0,1', 'equals', { minRelevance: 40 }],
    ['RelevanceScore', '0,1', 'not in', { maxRelevance: 39 }],
    ['RelevantOnly', 'true', undefined, { minRelevance: 40 }],
    ['TwitterFollowerCount', '5', '=', { minFollowers: 5, maxFollowers: 5 }],
    ['TwitterFollowerCount', '5', '<=', { maxFollowers: 5 }],
    ['Source', 'firehose', undefined, { keywordIds: [] }],
  ])('%s %s %s', async (field, values, operator, filter) => {
    expect((await create('One', simple([field, values, operator]))).status).toBe(201)
    expect((await viewOf('One')).filter).toEqual(filter)
  })

  test.each([
    ['Bookmarked', 'true', undefined, 501],
    ['TimeRange', '7d', undefined, 501],
    ['Content', 'x', undefined, 501],
    ['StartDate', '2026-01-01', undefined, 501],
    ['EndDate', '2026-01-01', undefined, 501],
    ['Author', 'x', undefined, 501],
    ['RelevanceScore', '1', '>=', 501],
    ['RelevanceScore', '1', 'in', 501],
    ['source', 'reddit', undefined, 400],
    ['Nonsense', 'x', undefined, 400],
    ['Engaged', 'false', undefined, 400],
    ['RelevantOnly', '0', undefined, 400],
    ['TwitterFollowerCount', '5', 'in', 400],
    ['TwitterFollowerCount', 'many', '>=', 400],
    ['Keywords', '999999', undefined, 400],
    ['Keywords', 'acme', undefined, 400],
    ['Source', 'reddit', '>=', 400],
    ['Source', '', undefined, 400],
  ])('%s %s %s is %i', async (field, values, operator, status) => {
    const answer = await create('Refused', simple([field, values, operator]))
    expect([answer.status, answer.body.error.code]).toEqual([
      status,
      status === 501 ? 'FEATURE_DISABLED' : 'VALIDATION_ERROR',
    ])
    if (status === 400) expect(answer.body.error.details[0].path).toMatch(/^simpleFilters\.conditions\.0/)
    expect(await viewOf('Refused')).toBeUndefined()
  })
})

test('a deleted keyword leaves a feed that matches nothing, and is no longer named', async () => {
  const number = await compatOf(acme).numberOf(await makeKeyword(acme))
  const { body } = await create('Named', simple(['Keywords', String(number)]))
  await call('DELETE', `/keywords/${number}`)
  expect((await call('GET', `/feeds/${body.id}`)).body.simpleFilters.conditions).toEqual([
    { field: 'Source', values: 'firehose' },
  ])
  expect(await compatOf(acme).list({ view: body.id, includeAll: true })).toEqual([])
  const refused = await call('PATCH', `/feeds/${body.id}`, simple(['Keywords', String(number)]))
  expect([refused.status, refused.body.error.details[0].path]).toEqual([400, 'simpleFilters.conditions.0.values'])
})

test('§6 names', async () => {
  const { body } = await create('Mine')
  await create('Other')
  for (const answer of [await create('MINE'), await call('PATCH', `/feeds/${body.id}`, { name: 'oTHER' })])
    expect([answer.status, answer.body.error.code]).toEqual([409, 'ITEM_EXISTS'])
  expect((await call('PATCH', `/feeds/${body.id}`, { name: 'MINE' })).status).toBe(200)
})

test('§6/§10 destinations', async () => {
  const destinations = [
    { type: 'WEBHOOK', frequency: 'hourly', webhookDestination: { url: 'https://receiver.example' } },
  ]
  const refused = await create('With destinations', { destinations })
  expect([refused.status, refused.body.error.code]).toEqual([501, 'FEATURE_DISABLED'])
  expect(refused.body.error.message).toContain('/v1/alerts')
  expect(await viewOf('With destinations')).toBeUndefined()
  const { status, body } = await create('Without', { destinations: [] })
  expect([status, body.destinations]).toEqual([201, []])
  expect((await call('PATCH', `/feeds/${body.id}`, { name: 'Changed', destinations })).status).toBe(501)
  expect((await call('GET', `/feeds/${body.id}`)).body.name).toBe('Without')
  expect((await acme.api('GET', '/v1/alerts')).body.data).toEqual([])
  expect((await create('Wrong and off', { destinations, ...simple(['Nonsense', 'x']) })).status).toBe(400)
})

test('Read-only views', async () => {
  await acme.api('POST', '/v1/views', { name: 'Unsayable', filter: { q: 'anvil', minConfidence: 0.5 } })
  await makeMention(world, await makeKeyword(acme), { text: 'an anvil' })
  const [feed] = (await call('GET', '/feeds')).body.data
  expect(feed).toMatchObject({ name: 'Unsayable', simpleFilters: null, advancedFilters: null })
  expect((await call('GET', `/feeds/${feed.id}`)).body).toEqual(feed)
  expect(await compatOf(acme).list({ view: feed.id })).toHaveLength(1)
  for (const body of [simple(['Source', 'reddit']), { simpleFilters: null }, { advancedFilters: null }]) {
    const refused = await call('PATCH', `/feeds/${feed.id}`, body)
    expect([refused.status, refused.body.error.code]).toEqual([409, 'FEED_FILTER_WRITE_CONFLICT'])
  }
  expect((await call('PATCH', `/feeds/${feed.id}`, { name: 'Renamed' })).body.name).toBe('Renamed')
  expect((await viewOf('Renamed')).filter).toEqual({ q: 'anvil', minConfidence: 0.5 })
  expect((await call('DELETE', `/feeds/${feed.id}`)).status).toBe(200)
})

test('both kinds of filters at once, and a change of nothing, are refused', async () => {
  const advancedFilters = {
    top_level_operator: 'AND',
    groups: [{ group_operator: 'AND', conditions: [{ field: 'Source', values: 'dev' }] }],
  }
  expect((await create('Both', { ...simple(['Source', 'dev']), advancedFilters })).body.error.details[0].path).toBe(
    'advancedFilters',
  )
  const { body } = await create('One')
  expect((await call('PATCH', `/feeds/${body.id}`, {})).status).toBe(400)
})
