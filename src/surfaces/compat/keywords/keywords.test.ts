import { describe, expect, test } from 'vitest'
import { changeWallet } from '../../../../test/rows.ts'
import { useFreshWorkspace, useWorld } from '../../../../test/use-world.ts'
import { compatOf, makeKeyword, type Row } from '../compat.suite.ts'

const world = useWorld()
const acme = useFreshWorkspace(world, 'Acme')
const call: ReturnType<typeof compatOf>['call'] = (...args) => compatOf(acme).call(...args)
const create = (body: object) => call('POST', '/keywords', body)
const stored = async (term: string) =>
  (await acme.api('GET', `/v1/keywords?term=${encodeURIComponent(term)}`)).body.data[0]

describe('§5 alreadyExisted', () => {
  test('an existing term is returned unchanged, and refused with allowDuplicate', async () => {
    const first = await create({ keyword: 'Acme Cloud', tag: 'competitor' })
    expect([first.status, first.body.alreadyExisted, first.body.tag]).toEqual([201, false, 'competitor'])
    const again = await create({ keyword: 'acme  CLOUD', tag: 'own_brand' })
    expect([again.status, again.body]).toEqual([200, { ...first.body, alreadyExisted: true }])
    const refused = await create({ keyword: 'acme cloud', allowDuplicate: true })
    expect([refused.status, refused.body.error.code]).toEqual([409, 'ITEM_EXISTS'])
    expect((await create({ keyword: 'another', allowDuplicate: true })).status).toBe(201)
    expect((await acme.api('GET', '/v1/keywords')).body.total).toBe(2)
  })

  test('a term of another group is the same keyword', async () => {
    const groupId = await acme.group('Elsewhere')
    await acme.api('POST', '/v1/keywords', { term: 'elsewhere', groupId })
    expect((await create({ keyword: 'elsewhere' })).body.alreadyExisted).toBe(true)
  })

  test('of requests at the same time one makes the keyword', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => create({ keyword: 'at once' })))
    expect(answers.map(({ status }) => status).sort(), JSON.stringify(answers.map(({ body }) => body.error))).toEqual([
      200, 200, 200, 200, 200, 201,
    ])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  })
})

test('ITEM_EXISTS', async () => {
  await create({ keyword: 'taken' })
  await call('POST', '/feeds', { name: 'Taken', icon: 'i' })
  for (const answer of [
    await create({ keyword: 'taken', allowDuplicate: true }),
    await call('POST', '/feeds', { name: 'taken', icon: 'i' }),
  ])
    expect([answer.status, answer.body.error.code]).toEqual([409, 'ITEM_EXISTS'])
})

test('§10 status of POST /keywords, /feeds', async () => {
  expect([(await create({ keyword: 'new' })).status, (await create({ keyword: 'new' })).status]).toEqual([201, 200])
  expect((await call('POST', '/feeds', { name: 'New', icon: 'i' })).status).toBe(201)
})

test('§5 "created here always include instagram", /v1 keywords without it', async () => {
  const { shown } = await makeKeyword(acme, { platforms: ['bluesky'] })
  const [listed] = (await call('GET', '/keywords')).body.data
  expect(listed.platforms).toEqual(['bluesky'])
  await call('POST', `/keywords/${listed.id}/pause`)
  expect((await stored(shown.term)).platforms).toEqual(['bluesky'])
  const changed = await call('PATCH', `/keywords/${listed.id}`, { caseSensitive: true })
  expect(changed.body.platforms).toEqual(['bluesky', 'instagram'])
  expect((await stored(shown.term)).platforms).toEqual(['bluesky', 'instagram'])
  const made = await create({ keyword: 'with names', platforms: ['twitter', 'reddit_comment'] })
  expect(made.body.platforms).toEqual(['reddit', 'reddit_comment', 'twitter', 'instagram'])
  expect((await stored('with names')).platforms).toEqual(['reddit', 'x', 'instagram'])
  expect((await create({ keyword: 'everywhere' })).body.platforms).toContain('instagram')
  expect((await stored('everywhere')).platforms).toBeNull()
})

test('fields go in and out', async () => {
  const body = {
    keyword: 'Acme',
    context: 'A maker of anvils.',
    additionalTerms: 'anvil,  rocket',
    additionalTermsAndOr: false,
    caseSensitive: true,
    symbolSensitive: true,
    excludeWords: 'jobs, hiring',
    wildcardExcludeWords: 'deploy*, *bot',
    excludeAuthors: '@somebody, Some Name',
    tag: 'industry_term',
    isSubReddit: false,
  }
  const { body: made } = await create(body)
  expect(made).toMatchObject({
    keyword: 'Acme',
    context: 'A maker of anvils.',
    additionalTerms: 'anvil, rocket',
    additionalTermsAndOr: false,
    caseSensitive: true,
    symbolSensitive: true,
    excludeWords: 'jobs, hiring',
    wildcardExcludeWords: 'deploy*, *bot',
    tag: 'industry_term',
    paused: false,
    isSubReddit: null,
  })
  expect((await stored('Acme')).matching).toMatchObject({
    requiredTerms: ['anvil', 'rocket'],
    requiredMode: 'all',
    excludedTerms: ['jobs', 'hiring', 'deploy*', '*bot'],
  })
  const { body: changed } = await call('PATCH', `/keywords/${made.id}`, { excludeWords: '', additionalTerms: '' })
  expect(changed).toMatchObject({ excludeWords: null, wildcardExcludeWords: 'deploy*, *bot', additionalTerms: null })
  const { alreadyExisted: _, ...rest } = made
  expect(changed).toEqual({ ...rest, excludeWords: null, additionalTerms: null })
  expect((await call('GET', '/keywords')).body).toEqual({ data: [changed], pagination: { nextCursor: null } })
})

test('keywords are listed by name in any letter case', async () => {
  for (const keyword of ['beta', 'Alpha', 'gamma', 'ALPHABET']) await create({ keyword })
  expect((await call('GET', '/keywords')).body.data.map((item: Row) => item.keyword)).toEqual([
    'Alpha',
    'ALPHABET',
    'beta',
    'gamma',
  ])
})

describe('§5 pause', () => {
  test('toggles without a body and type, and is absolute with one', async () => {
    const { body: made } = await create({ keyword: 'pausing' })
    const pause = async (body?: object) => {
      const answer = await call('POST', `/keywords/${made.id}/pause`, body)
      return [answer.status, answer.body.paused, answer.body.changed]
    }
    expect(await pause()).toEqual([200, true, true])
    expect(await pause({ paused: true })).toEqual([200, true, false])
    expect(await pause({ paused: false })).toEqual([200, false, true])
    expect(await pause({})).toEqual([200, true, true])
    expect((await call('POST', `/keywords/${made.id}/pause`, { paused: 'yes' })).status).toBe(400)
  })
})

test('§5 limits', async () => {
  const { shown } = await makeKeyword(acme, { context: 'x'.repeat(300) })
  const [listed] = (await call('GET', '/keywords')).body.data
  expect(listed.context).toHaveLength(300)
  expect((await call('PATCH', `/keywords/${listed.id}`, { tag: 'competitor' })).body).toMatchObject({
    context: shown.context,
    tag: 'competitor',
  })
  const many = (count: number, entry: (place: number) => string) =>
    Array.from({ length: count }, (_, place) => entry(place)).join(',')
  for (const [name, value] of [
    ['context', 'x'.repeat(201)],
    ['additionalTerms', 'x'.repeat(501)],
    ['additionalTerms', 'x'.repeat(81)],
    ['excludeWords', many(51, (place) => `word ${place}`)],
    ['excludeWords', 'deploy*'],
    ['wildcardExcludeWords', 'plain'],
    ['excludeAuthors', many(101, (place) => `@author${place}`)],
    ['platforms', []],
    ['tag', 'brand'],
  ]) {
    const { status, body } = await call('PATCH', `/keywords/${listed.id}`, { [name as string]: value })
    expect([name, status, body.error?.details[0].path.split('.')[0]]).toEqual([name, 400, name])
  }
  for (const keyword of ['x', 'x'.repeat(81), ' '])
    expect((await create({ keyword })).body.error.details[0].path).toBe('keyword')
  const together = {
    excludeWords: many(30, (place) => `word ${place}`),
    wildcardExcludeWords: many(30, (place) => `word${place}*`),
  }
  expect((await create({ keyword: 'too many', ...together })).status).toBe(400)
})

test('§5 symbolSensitive false', async () => {
  const refused = await create({ keyword: 'symbols', symbolSensitive: false })
  expect([refused.status, refused.body.error.code]).toEqual([501, 'FEATURE_DISABLED'])
  expect((await create({ keyword: 'symbols', symbolSensitive: true })).body.symbolSensitive).toBe(true)
  const subreddit = await create({ keyword: 'subreddit', isSubReddit: true })
  expect([subreddit.status, subreddit.body.error.message]).toEqual([501, expect.stringContaining('positiveSubreddits')])
})

test('§5 PATCH keyword', async () => {
  const { body } = await create({ keyword: 'fixed' })
  const refused = await call('PATCH', `/keywords/${body.id}`, { keyword: 'other' })
  expect([refused.status, refused.body.error.details[0].path]).toEqual([400, 'keyword'])
  expect((await call('PATCH', `/keywords/${body.id}`, {})).status).toBe(400)
})

test('a keyword that is gone is KEYWORD_NOT_FOUND', async () => {
  const { body } = await create({ keyword: 'doomed' })
  expect((await call('DELETE', `/keywords/${body.id}`)).body).toEqual({
    ok: true,
    id: body.id,
    keyword: 'doomed',
    deletedFeeds: [],
    deletedNotifications: [],
  })
  for (const [method, path, sent] of [
    ['PATCH', `/keywords/${body.id}`, { caseSensitive: true }],
    ['DELETE', `/keywords/${body.id}`, undefined],
    ['POST', `/keywords/${body.id}/pause`, undefined],
    ['DELETE', '/keywords/nonsense', undefined],
  ] as const)
    expect((await call(method, path, sent)).body.error).toMatchObject({ status: 404, code: 'KEYWORD_NOT_FOUND' })
})

test('a balance that pays for no further day is QUOTA_EXCEEDED', async () => {
  await changeWallet(world, acme.workspaceId, { balanceUnits: 0 })
  const refused = await create({ keyword: 'too dear' })
  expect([refused.status, refused.body.error.code]).toEqual([402, 'QUOTA_EXCEEDED'])
})

test('Look-back', async () => {
  // The same first searches as for keywords of /v1: nothing is said of a platform's query but how far it looks back.
  await create({ keyword: 'looking back' })
  await acme.api('POST', '/v1/keywords', { term: 'looking back too' })
  const rules = async (term: string) => {
    const { matching, platforms, kind, muted, cap } = await stored(term)
    return { matching, platforms, kind, muted, cap }
  }
  expect(await rules('looking back')).toEqual(await rules('looking back too'))
})
