import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { everything } from '../../../test/everything.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import type { TestWorkspace } from '../../../test/world.ts'
import { MINUTE_MS } from '../../kernel/clock.ts'
import { COMPAT_CATALOGUE } from './catalogue.ts'
import { compatOf, makeKeyword, makeMention, sourceId } from './compat.suite.ts'
import type { CompatOperation } from './define.ts'
import { numberPlaces, sampleOf } from './generated.suite.ts'

const world = useWorld()
const alpha = useWorkspace(world, 'Alpha')
const bravo = useWorkspace(world, 'Bravo')
/** Reading leaves numbers behind, and nothing else. */
const NUMBERS = ['compat_number', 'compat_sequence']

interface Things {
  keyword: number
  feed: number
  mention: number
  sourceId: string
}
let foreign: Things
let own: Things

beforeAll(async () => {
  // So many that none of their numbers is one of Alpha's.
  for (let made = 0; made < 20; made += 1)
    await compatOf(bravo).call('POST', '/feeds', { name: `Feed ${made}`, icon: 'i' })
  foreign = await makeThings(bravo)
  own = await makeThings(alpha)
})
beforeEach(() => world.clock.advance(MINUTE_MS))

async function makeThings(workspace: TestWorkspace): Promise<Things> {
  const { call } = compatOf(workspace)
  const made = await makeMention(world, await makeKeyword(workspace))
  const row = (await call('GET', `/mentions/${sourceId(made)}`)).body
  const feed = (await call('POST', '/feeds', { name: 'Own', icon: 'i' })).body.id
  return { keyword: row.keywordId, feed, mention: row.id, sourceId: row.sourceId }
}

/** A request that names a thing at a place; bodies by hand, because their forms are too rich to be drawn. */
const BODIES: Readonly<Record<string, (number: number) => object>> = {
  view: (view) => ({ view, includeAll: true }),
  'filters.keyword.0': (number) => ({ filters: { keyword: [number] } }),
  'filters.!keyword.0': (number) => ({ filters: { '!keyword': [number], source: ['firehose'] } }),
  'filters.groups.0.conditions.0.keyword.0': (number) => ({
    filters: { operator: 'AND', groups: [{ operator: 'AND', conditions: [{ keyword: [number] }] }] },
  }),
  'filters.groups.0.conditions.0.!keyword.0': (number) => ({
    filters: {
      operator: 'AND',
      groups: [{ operator: 'AND', conditions: [{ '!keyword': [number] }, { source: ['firehose'] }] }],
    },
  }),
  postId: (postId) => ({ action: 'engage', postId, sourceId: 'mm_none', feedbackType: 'RELEVANT' }),
  keywordId: (keywordId) => ({ keywordId, sourceId: own.sourceId, feedbackType: 'RELEVANT' }),
}

const PLACES = numberPlaces(COMPAT_CATALOGUE).map((place) => ({
  ...place,
  name: `${place.operation.id}, ${place.part} ${place.path.join('.')}`,
}))

test('the places that take numbers are found, and every one in a body has a request', () => {
  expect(PLACES.map(({ name }) => name)).toContain('compat-get-feed, params id')
  expect(
    PLACES.filter(({ part, path }) => part === 'body' && !(path.join('.') in BODIES)).map(({ name }) => name),
  ).toEqual([])
})

function kindAt({ path, operation }: { path: readonly string[]; operation: CompatOperation }): keyof Things {
  if (path.includes('view') || operation.notFound === 'FEED_NOT_FOUND')
    return path.includes('keyword') || path.includes('!keyword') ? 'keyword' : 'feed'
  return path.includes('postId') ? 'mention' : 'keyword'
}

describe.each(PLACES)('$name', (place) => {
  test('a number of another workspace names nothing, and nothing changes', async () => {
    const { operation, part, path } = place
    const kind = kindAt(place)
    const number = foreign[kind] as number
    if (path.includes('postId')) return expect(await namesNothingByPostId(operation)).toBe(true)
    const sample = await sampleOf(operation)
    const at = part === 'params' ? operation.path.replace('{id}', String(number)) : sample.path.split('?')[0]!
    const query = part === 'query' ? `?${path[0]}=${number}` : ''
    const body = part === 'body' ? BODIES[path.join('.')]!(number) : sample.body
    const before = await everything(world, NUMBERS)
    const answer = await alpha.api(operation.method, `${at}${query}`, body)
    expect(await everything(world, NUMBERS)).toEqual(before)
    const told = `${operation.method} ${at}${query} ${JSON.stringify(body)}: ${JSON.stringify(answer.body)}`
    if (answer.status === 200) expect(JSON.stringify(answer.body), told).not.toContain(foreign.sourceId)
    if (part === 'params' || path[0] === 'view')
      expect([answer.status, answer.body.error.code], told).toEqual([404, operation.notFound])
    else expect([200, 400, 404], told).toContain(answer.status)
  })
})

/** What clients copy beside the path is not looked up at all. */
async function namesNothingByPostId(operation: CompatOperation): Promise<boolean> {
  const body = BODIES['postId']!(foreign.mention)
  const { action: _, ...feedback } = body as { action: string }
  const { postId, ...engage } = body as { postId: number }
  const sent = operation.method === 'PATCH' ? { action: 'engage', postId, engaged: false } : feedback
  const answer = await alpha.api(operation.method, operation.path.replace('{sourceId}', foreign.sourceId), sent)
  return answer.status === 404 && Object.keys(engage).length > 0
}

test('a mention of another workspace is not there by either of its ids', async () => {
  const { call } = compatOf(alpha)
  const before = await everything(world, NUMBERS)
  for (const id of [foreign.sourceId, foreign.mention]) {
    const sent = [
      await call('GET', `/mentions/${id}`),
      await call('PATCH', `/mentions/${id}`, { action: 'engage' }),
      await call('POST', '/feedback', { sourceId: String(id), feedbackType: 'RELEVANT' }),
      await call('DELETE', '/feedback', { sourceId: String(id) }),
    ]
    for (const { status, body } of sent) expect([status, body.error.code]).toEqual([404, 'POST_NOT_FOUND'])
  }
  expect(await everything(world, NUMBERS)).toEqual(before)
})

test('a cursor of another workspace shows nothing', async () => {
  await makeMention(world, await makeKeyword(bravo))
  const { body } = await compatOf(bravo).call('POST', '/mentions', { limit: 1 })
  const refused = await compatOf(alpha).call('POST', '/mentions', { cursor: body.pagination.nextCursor })
  expect([refused.status, refused.body.error.details[0].path]).toEqual([400, 'cursor'])
})

test.each(COMPAT_CATALOGUE.filter(({ access, params }) => access === 'read' && Object.keys(params.shape).length === 0))(
  '$id shows nothing of another workspace',
  async (operation) => {
    const { method, path, body } = await sampleOf(operation)
    const answer = await alpha.api(method, path, body)
    expect(answer.status).toBeLessThan(502)
    for (const secret of [foreign.sourceId, bravo.orgId, 'Bravo', 'Feed 7'])
      expect(JSON.stringify(answer.body)).not.toContain(secret)
  },
)
