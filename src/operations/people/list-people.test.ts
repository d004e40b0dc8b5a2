import { beforeAll, expect, test } from 'vitest'
import { makeKeyword } from '../../../test/mentions.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { DAY_MS, plus } from '../../kernel/clock.ts'
import { writes } from './authors.suite.ts'
import { listPeopleOperation } from './list-people.ts'

const ids = new Map<string, string>()
const world = useWorld()
const acme = useWorkspace(world, 'Acme')
beforeAll(async () => {
  const at = world.clock.now()
  const brand = await makeKeyword(acme, { kind: 'brand' })
  const rival = await makeKeyword(acme, { kind: 'competitor' })
  const seen = (days: number) => ({ publishedAt: plus(at, -days * DAY_MS) })
  const made: [string, Parameters<typeof writes>[3]][] = [
    [
      'ada',
      {
        keyword: brand,
        mentions: 3,
        author: { followers: 500, name: 'Ada Lovelace' },
        post: seen(1),
        verdict: { sentiment: 'negative', intents: ['complaint'] },
      },
    ],
    [
      'grace',
      {
        keyword: rival,
        mentions: 2,
        author: { followers: 9000, name: 'Grace Hopper' },
        post: seen(0),
        verdict: { sentiment: 'positive', intents: ['praise', 'question'] },
      },
    ],
    [
      'lin',
      {
        keyword: brand,
        author: { followers: null, name: '林 小明', handle: null },
        post: { ...seen(5), platform: 'reddit' },
        verdict: { sentiment: 'neutral', intents: [] },
      },
    ],
  ]
  for (const [name, what] of made) ids.set(name, await writes(world, acme, name, what))
  await acme.api('PATCH', `/v1/people/${ids.get('ada')}`, { tags: ['VIP', 'with, comma'] })
  await acme.api('PATCH', `/v1/people/${ids.get('lin')}`, { muted: true, tags: ['press'] })
  await writes(world, await world.workspace('Other'), 'stranger')
})

async function found(query: string, workspace = acme): Promise<string[]> {
  const { status, body } = await workspace.api('GET', `/v1/people?${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body.total).toBe(body.data.length)
  const names = new Map([...ids].map(([name, id]) => [id, name]))
  return body.data.map(({ id }: { id: string }) => names.get(id) ?? 'a stranger')
}

const CASES: [query: string, expected: string[]][] = [
  ['', ['ada', 'grace', 'lin']],
  ['sort=mentions', ['ada', 'grace', 'lin']],
  ['sort=recent', ['grace', 'ada', 'lin']],
  ['sort=reach', ['grace', 'ada', 'lin']],
  ['sort=new', ['grace', 'ada', 'lin']],
  ['sort=name', ['ada', 'grace', 'lin']],
  ['sort=name&minFollowers=1&keywordKinds=competitor', ['grace']],
  ['q=LOVE', ['ada']],
  ['q=ada.ex', ['ada']],
  ['q=lovelace%20ada', ['ada']],
  ['q=lace', []],
  ['q=小明', ['lin']],
  ['q=%27%3A*%20%7C%20%5C', []],
  ['q=%F0%9F%A6%8A', []],
  ['platforms=reddit,x', ['lin']],
  ['notPlatforms=reddit', ['ada', 'grace']],
  ['tags=VIP', ['ada']],
  ['tags=vip', []],
  ['tags=with%2C%20comma&tags=none', ['ada']],
  ['tags=press,VIP', ['ada', 'lin']],
  ['notTags=VIP', ['grace', 'lin']],
  ['muted=true', ['lin']],
  ['muted=false', ['ada', 'grace']],
  ['minFollowers=501', ['grace']],
  ['maxFollowers=500', ['ada']],
  ['minFollowers=0', ['ada', 'grace']],
  ['minMentions=2', ['ada', 'grace']],
  ['minNegative=3', ['ada']],
  ['intents=question,launch', ['grace']],
  ['keywordKinds=competitor', ['grace']],
  ['keywordKinds=topic', []],
  ['tags=VIP&intents=complaint&minMentions=3&platforms=bluesky', ['ada']],
  ['tags=VIP&intents=praise', []],
]

test.each(CASES)('%s', async (query, expected) => expect(await found(query)).toEqual(expected))

test('since is inclusive and by the last post', async () => {
  const at = plus(world.clock.now(), -DAY_MS)
  expect(await found(`since=${at.toISOString()}`)).toEqual(['ada', 'grace'])
  expect(await found(`since=${at.getTime() + 1}`)).toEqual(['grace'])
})

test('every parameter is tried here, or in the tests of pages and segments', () => {
  const tried = CASES.map(([query]) => query).join('&')
  const untried = Object.keys(listPeopleOperation.query.shape).filter((name) => !tried.includes(`${name}=`))
  expect(untried).toEqual(['since', 'segmentId', 'limit', 'offset'])
})

test('pages follow each other and each tells how many there are', async () => {
  const pages = await Promise.all([0, 1, 2, 3].map((offset) => acme.api('GET', `/v1/people?limit=1&offset=${offset}`)))
  expect(pages.map(({ body }) => [body.total, ...body.data.map(({ id }: { id: string }) => id)])).toEqual([
    [3, ids.get('ada')],
    [3, ids.get('grace')],
    [3, ids.get('lin')],
    [3],
  ])
  const filtered = await acme.api('GET', '/v1/people?limit=1&minMentions=2')
  expect([filtered.body.total, filtered.body.data.length]).toEqual([2, 1])
})

test('a segment adds its conditions, and one that is not there is not found', async () => {
  const { body: segment } = await acme.api('POST', '/v1/segments', { name: 'Many', filter: { minMentions: 2 } })
  expect(await found(`segmentId=${segment.id}`)).toEqual(['ada', 'grace'])
  expect(await found(`segmentId=${segment.id}&minFollowers=501`)).toEqual(['grace'])
  const gone = await acme.api('GET', '/v1/people?segmentId=seg_01kg3w5z0yf8hbt2m7q4n9xc6d')
  expect([gone.status, gone.body.error.code]).toEqual([404, 'not_found'])
})

test('a new workspace has nobody', async () => {
  expect((await (await world.workspace('New')).api('GET', '/v1/people')).body).toEqual({ data: [], total: 0 })
})

test.each([
  ['limit=101', 'limit: must be at most 100'],
  ['sort=age', 'sort: must be one of mentions, recent, reach, new, name'],
  ['person=x', 'person: is not a parameter of this operation'],
  ['muted=yes', 'muted: must be true or false'],
])('%s is refused by naming the parameter', async (query, message) => {
  const { status, body } = await acme.api('GET', `/v1/people?${query}`)
  expect([status, body.error.code, body.error.message]).toEqual([400, 'validation_error', message])
})

test('a word that is longer than what is kept of it is found by all of it', async () => {
  const workspace = await world.workspace('Long')
  const id = await writes(world, workspace, 'long', { author: { name: `${'x'.repeat(59)}𐐷${'y'.repeat(20)}` } })
  const found = async (q: string) =>
    (await workspace.api('GET', `/v1/people?q=${encodeURIComponent(q)}`)).body.data.map(
      (person: { id: string }) => person.id,
    )
  expect(await found('x'.repeat(59))).toEqual([id])
  expect(await found(`${'x'.repeat(59)}𐐷${'y'.repeat(20)}`)).toEqual([id])
  expect(await found('x'.repeat(60))).toEqual([])
})

test('by name letter case does not matter, the handle stands in, and merged people are named as their first account', async () => {
  const workspace = await world.workspace('Names')
  const people: string[] = []
  for (const [name, handle] of [
    ['zoe', 'z'],
    ['Yara', 'y'],
    [null, 'xena'],
    [null, null],
    ['Abe', 'a'],
  ] as const)
    people.push(await writes(world, workspace, `${handle}`, { author: { name, handle } }))
  expect((await workspace.api('POST', `/v1/people/${people[4]}/merge`, { into: people[0] })).status).toBe(200)
  const { body } = await workspace.api('GET', '/v1/people?sort=name')
  const names = body.data.map(({ name, handle }: { name: string | null; handle: string | null }) => name ?? handle)
  expect(names).toEqual(['xena', 'Yara', 'zoe', null])
})
