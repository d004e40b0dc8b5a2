import { describe, expect, test } from 'vitest'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { MINUTE_MS } from '../../kernel/clock.ts'
import { compatOf, makeKeyword, makeMention, sourceId } from './compat.suite.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')
const other = useWorkspace(world, 'Other')

describe('§1 Rate limit', () => {
  test('is the one of the workspace, and every authenticated answer says what is left', async () => {
    await world.clock.advance(MINUTE_MS)
    const first = await acme.api('GET', '/v1/whoami')
    const left = Number(first.headers.get('x-ratelimit-remaining'))
    for (const [method, path, status] of [
      ['GET', '/auth', 200],
      ['GET', '/keywords/1/pause', 501],
      ['PATCH', '/mentions/mm_none', 400],
    ] as const) {
      const answer = await compatOf(acme).call(method, path, method === 'PATCH' ? {} : undefined)
      expect([path, answer.status]).toEqual([path, status])
      expect(answer.headers.get('x-ratelimit-limit')).toBe('600')
      expect(answer.headers.get('x-ratelimit-reset')).toMatch(/^\d{10}$/)
    }
    const last = await acme.api('GET', '/v1/whoami')
    expect(Number(last.headers.get('x-ratelimit-remaining'))).toBe(left - 4)
  })

  test('is told with RATE_LIMITED and Retry-After', async () => {
    const busy = await world.workspace('Busy')
    for (let sent = 0; sent < 600; sent += 60)
      await Promise.all(Array.from({ length: 60 }, () => busy.api('GET', '/v1/nothing/here').catch(() => null)))
    let answer = await compatOf(busy).call('GET', '/auth')
    for (let sent = 0; sent < 620 && answer.status === 200; sent += 1)
      answer = await compatOf(busy).call('GET', '/auth')
    expect([answer.status, answer.body.error.code, answer.body.error.status]).toEqual([429, 'RATE_LIMITED', 429])
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

describe('§1 codes', () => {
  const { call } = compatOf(acme)

  test.each([
    [415, 'UNSUPPORTED_MEDIA_TYPE', { headers: { 'content-type': 'text/plain' } }],
    [413, 'PAYLOAD_TOO_LARGE', { body: { search: 'x'.repeat(200_000) } }],
    [400, 'VALIDATION_ERROR', { body: { limit: 0 } }],
  ])('%i %s', async (status, code, { body, headers }: { body?: object; headers?: Record<string, string> }) => {
    const answer = await call('POST', '/mentions', body ?? { a: 1 }, headers === undefined ? {} : { headers })
    expect(answer.status).toBe(status)
    expect(answer.body.error).toMatchObject({ code, status, message: expect.any(String) })
    expect('details' in answer.body.error).toBe(code === 'VALIDATION_ERROR')
    expect(answer.body.error.requestId).toBe(answer.headers.get('x-request-id'))
  })

  test('details name the path of what is wrong', async () => {
    const { body } = await call('POST', '/mentions', {
      filters: { operator: 'AND', groups: [{ operator: 'OR', conditions: [{ tag: ['a'] }, { source: ['x'] }] }] },
    })
    expect(body.error.details[0].path).toBe('filters.groups.0.conditions.1.source.0')
    const missing = await call('POST', '/mentions', { filters: { operator: 'AND' } })
    expect(missing.body.error.details).toEqual([{ path: 'filters.groups', message: 'is required' }])
  })

  test('a verdict on an unscored mention is CLASSIFICATION_PENDING', async () => {
    const keyword = await makeKeyword(acme)
    const waiting = await makeMention(world, keyword, {}, null)
    const body = { action: 'relevance', relevance: 0 }
    const answer = await call('PATCH', `/mentions/${sourceId(waiting)}`, body)
    expect([answer.status, answer.body.error.code]).toEqual([409, 'CLASSIFICATION_PENDING'])
  })

  test('a missing or wrong key is UNAUTHORIZED with where to sign in, and a read key may not write', async () => {
    for (const key of [null, 'ref_nothing']) {
      const answer = await call('GET', '/auth', undefined, { key })
      expect([answer.status, answer.body.error.code]).toEqual([401, 'UNAUTHORIZED'])
      expect(answer.headers.get('www-authenticate')).toContain('resource_metadata')
    }
    const refused = await call('POST', '/keywords', { keyword: 'some term' }, { key: acme.readKey })
    expect([refused.status, refused.body.error.code]).toEqual([403, 'FORBIDDEN'])
    expect((await call('POST', '/mentions', {}, { key: acme.readKey })).status).toBe(200)
  })
})

describe('§2 last row, unknown operation', () => {
  const { call } = compatOf(acme)

  test.each([
    ['PUT', '/keywords'],
    ['GET', '/mentions'],
    ['DELETE', '/mentions/mm_x'],
    ['GET', '/nothing/at/all'],
    ['POST', '/agency/things'],
    ['GET', '/keywords/1'],
    ['GET', '/mentions/export'],
    ['PATCH', '/mentions/export'],
    ['PATCH', '/mentions/by-author'],
    ['PATCH', '/keywords/suggestions'],
    ['DELETE', '/org/members/invitations'],
    ['POST', '/openapi.json'],
  ])('%s %s is 501 with a key and 401 without', async (method, path) => {
    const answer = await call(method, path)
    expect([answer.status, answer.body.error.code]).toEqual([501, 'FEATURE_DISABLED'])
    const refused = await call(method, path, undefined, { key: null })
    expect([refused.status, refused.body.error.code]).toEqual([401, 'UNAUTHORIZED'])
  })

  test('an unknown operation is refused without a look at its body', async () => {
    const answer = await acme.api('PUT', '/compat/api/v2/keywords', undefined, {
      headers: { 'content-type': 'text/plain' },
    })
    expect(answer.status).toBe(501)
  })

  test.each([
    '/compat',
    '/compat/',
    '/compat/api',
    '/compat/api/v2',
    '/compat/api/v2/',
    '/compat/api/v2/keywords/',
    '/compat/api/v2/x/',
  ])('%s is 404 for whoever asks', async (path) => {
    for (const key of [acme.writeKey, null]) {
      const answer = await acme.api('GET', path, undefined, { key })
      expect([answer.status, answer.body.error.code, answer.body.error.status]).toEqual([404, 'NOT_FOUND', 404])
    }
  })

  test('the key comes before the scope, the scope before the body, the body before what is off', async () => {
    const body = { keyword: 'a', isSubReddit: true }
    expect((await call('POST', '/keywords', body, { key: null })).status).toBe(401)
    expect((await call('POST', '/keywords', body, { key: acme.readKey })).status).toBe(403)
    expect((await call('POST', '/keywords', body)).status).toBe(400)
    expect((await call('POST', '/keywords', { ...body, keyword: 'long enough' })).status).toBe(501)
  })
})

describe('§1 Unknown keys strict and newer vendor bodies', () => {
  const { call } = compatOf(acme)

  test('unknown keys are refused in filters and ignored beside them', async () => {
    expect((await call('POST', '/mentions', { newer: 1, filters: {} })).status).toBe(200)
    expect((await call('POST', '/mentions/export', { newer: 1 })).status).toBe(200)
    const refused = await call('POST', '/mentions', { filters: { newer: 1 } })
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, 'filters.newer'])
  })

  test('includeEngagementMetrics adds counts that are known, and when they were read', async () => {
    const keyword = await makeKeyword(acme)
    const engagement = { likes: 3, reposts: 0, replies: null, quotes: null, views: null, bookmarks: null }
    const made = await makeMention(world, keyword, { engagement })
    const asked = { includeEngagementMetrics: true }
    const number = (await call('GET', '/keywords')).body.data.find(
      (item: { keyword: string }) => item.keyword === keyword.shown.term,
    ).id
    const [row] = (await call('POST', '/mentions', { ...asked, filters: { keyword: [number] } })).body.data
    expect(row.engagementMetrics).toEqual({ likes: 3, reposts: 0 })
    expect(row.engagementObservedAt).toBe(world.clock.now().toISOString())
    const one = await call('GET', `/mentions/${sourceId(made)}?includeEngagementMetrics=true`)
    expect(one.body.engagementMetrics).toEqual({ likes: 3, reposts: 0 })
    expect((await call('GET', `/mentions/${sourceId(made)}`)).body).not.toHaveProperty('engagementMetrics')
  })
})

describe('Ids', () => {
  test('count up in one sequence, are kept, and are found again', async () => {
    const { call } = compatOf(acme)
    const keyword = await makeKeyword(acme)
    const made = await makeMention(world, keyword)
    const row = (await call('GET', `/mentions/${sourceId(made)}`)).body
    expect(Number.isSafeInteger(row.id) && row.id > 0).toBe(true)
    expect(row.keywordId).not.toBe(row.id)
    expect((await call('GET', `/mentions/${row.id}`)).body).toEqual(row)
    const feed = (await call('POST', '/feeds', { name: 'Ids', icon: 'BellIcon' })).body
    expect(new Set([row.id, row.keywordId, feed.id]).size).toBe(3)
    for (const path of [`/mentions/${row.keywordId}`, `/mentions/${feed.id}`, '/mentions/999999'])
      expect((await call('GET', path)).body.error).toMatchObject({ status: 404, code: 'POST_NOT_FOUND' })
    const foreign = await compatOf(other).call('GET', `/mentions/${row.id}`)
    expect([foreign.status, foreign.body.error.code]).toEqual([404, 'POST_NOT_FOUND'])
  })

  test('are the same for requests at the same time, and never used again', async () => {
    const { call } = compatOf(acme)
    const keyword = await makeKeyword(acme)
    for (let made = 0; made < 12; made += 1) await makeMention(world, keyword)
    const pages = await Promise.all(Array.from({ length: 8 }, () => call('POST', '/mentions', { limit: 50 })))
    const numbers = pages.map(({ body }) =>
      body.data.map(({ id, sourceId }: { id: number; sourceId: string }) => `${id} ${sourceId}`).join(),
    )
    expect(new Set(numbers).size).toBe(1)
    const before = (await call('POST', '/keywords', { keyword: 'to be deleted' })).body.id
    await call('DELETE', `/keywords/${before}`)
    expect((await call('POST', `/keywords/${before}/pause`)).body.error.code).toBe('KEYWORD_NOT_FOUND')
    const after = (await call('POST', '/keywords', { keyword: 'to be deleted' })).body.id
    expect(after).toBeGreaterThan(before)
  })
})

test('GET /auth', async () => {
  const { call } = compatOf(acme)
  const told = { organizationId: acme.orgId, name: 'Acme', plan: 'prepaid' }
  expect((await call('GET', '/auth')).body).toEqual({ ...told, scopes: ['read', 'write'] })
  expect((await call('GET', '/auth', undefined, { key: acme.readKey })).body).toEqual({ ...told, scopes: ['read'] })
})
