import { beforeEach, expect, test } from 'vitest'
import { parseCsv } from '../../../test/csv.ts'
import { makeKeyword, makePost, matchedBy, score, store } from '../../../test/mentions.ts'
import { useWorld } from '../../../test/use-world.ts'
import type { TestWorkspace } from '../../../test/world.ts'
import { MINUTE_MS, plus } from '../../kernel/clock.ts'
import { EXPORT_MAX } from '../../queries/mentions/export-mentions.ts'
import { sql } from '../../store/database.ts'

let acme: TestWorkspace
let made = 0
const world = useWorld()
beforeEach(async () => {
  made += 1
  acme = await world.workspace(`Workspace ${made}`)
})

const HEADER = [
  'id',
  'published_at',
  'platform',
  'keyword',
  'author',
  'author_url',
  'author_followers',
  'relevance',
  'sentiment',
  'intents',
  'language',
  'confidence',
  'status',
  'relevant',
  'delivered',
  'url',
  'links',
  'text',
]
const exported = (query = '', workspace = acme) => workspace.api('GET', `/v1/mentions/export.csv${query}`)
/** The lines below the names of the columns, each by those names. */
async function lines(query = '', workspace = acme): Promise<Record<string, string>[]> {
  const { status, body } = await exported(query, workspace)
  expect(status, JSON.stringify(body)).toBe(200)
  const [header, ...rest] = parseCsv(body)
  expect(header).toEqual(HEADER)
  return rest.map((cells) => Object.fromEntries(cells.map((cell, at) => [HEADER[at]!, cell])))
}

test('an export of nothing is the names of its columns', async () => {
  const { status, headers, body } = await exported()
  expect([status, headers.get('content-type'), headers.get('x-mentions-truncated'), body]).toEqual([
    200,
    expect.stringMatching(/^text\/csv/),
    null,
    `${HEADER.join(',')}\r\n`,
  ])
})

test('a mention is a line', async () => {
  const keyword = await makeKeyword(acme, { term: 'Rocket' })
  const post = makePost(world, {
    title: 'On rockets',
    text: 'They fly, "mostly".\nNot here.',
    links: ['https://a.example/1', 'https://b.example/2'],
    url: 'https://posts.example/1',
    author: {
      id: '1',
      name: 'Ada, Countess',
      handle: 'ada',
      url: 'https://x.example/ada',
      avatarUrl: null,
      followers: 12,
      automated: null,
    },
  })
  const mentions = await store(world, [matchedBy(post, [keyword])])
  await score(world, mentions, {
    relevance: 77,
    sentiment: 'negative',
    intents: ['complaint', 'pricing'],
    language: 'en',
    confidence: 0.5,
  })
  const [shown] = (await acme.api('GET', '/v1/mentions')).body.data
  expect(await lines()).toEqual([
    {
      id: shown.id,
      published_at: shown.post.publishedAt,
      platform: 'bluesky',
      keyword: 'Rocket',
      author: 'Ada, Countess',
      author_url: 'https://x.example/ada',
      author_followers: '12',
      relevance: '77',
      sentiment: 'negative',
      intents: 'complaint|pricing',
      language: 'en',
      confidence: '0.5',
      status: 'open',
      relevant: 'true',
      delivered: 'false',
      url: 'https://posts.example/1',
      links: 'https://a.example/1|https://b.example/2',
      text: 'On rockets\nThey fly, "mostly".\nNot here.',
    },
  ])
})

test('what is not known is an empty cell', async () => {
  await store(world, [matchedBy(makePost(world, { author: null }), [await makeKeyword(acme)])])
  const empty = [
    'author',
    'author_url',
    'author_followers',
    'relevance',
    'sentiment',
    'intents',
    'language',
    'confidence',
    'links',
  ]
  const [line] = await lines()
  expect(Object.entries(line!).flatMap(([name, cell]) => (cell === '' ? [name] : []))).toEqual(empty)
})

test('a text is cut after a thousand characters, and never within one', async () => {
  const keyword = await makeKeyword(acme)
  await store(world, [matchedBy(makePost(world, { text: '🚀'.repeat(1100) }), [keyword])])
  await store(world, [matchedBy(makePost(world, { text: '火'.repeat(1000) }), [keyword])])
  expect((await lines()).map(({ text }) => text)).toEqual(['火'.repeat(1000), '🚀'.repeat(1000)])
})

const HOSTILE = [
  '=HYPERLINK("https://evil.example","click")',
  ' \t=1+1',
  '@SUM(A1:A9)',
  "-2+3+cmd|' /C calc'!A0",
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  '\u202Eevil\u202C \u200Fmarks\u200E',
  'a "quoted", word\r\nand a line, of its own',
  `long ${'w'.repeat(7000)}`,
  '","=1+1","',
  'half\u2028line\u0085break\ufeff',
]

test('hostile texts come through the list unharmed, and through the table as nothing but text', async () => {
  const keyword = await makeKeyword(acme)
  for (const text of HOSTILE) {
    const author = {
      id: text.slice(0, 40),
      name: text.slice(0, 200),
      handle: null,
      url: 'https://x.example/',
      avatarUrl: null,
      followers: null,
      automated: null,
    }
    await store(world, [matchedBy(makePost(world, { text, author, links: ['https://a.example/?q=","=1'] }), [keyword])])
  }
  const { data } = (await acme.api('GET', '/v1/mentions?limit=100')).body
  expect(data.map((item: { post: { text: string } }) => item.post.text).reverse()).toEqual(HOSTILE)
  const table = await lines()
  expect(table).toHaveLength(HOSTILE.length)
  for (const [at, line] of table.reverse().entries()) {
    const text = HOSTILE[at]!.slice(0, 1000)
    // Nothing but apostrophes in front of formulas is added.
    const plain = (cell: string) => cell.replaceAll("'", '')
    expect([plain(line['text']!), plain(line['author']!)]).toEqual([plain(text), plain(text.slice(0, 200))])
    for (const cell of Object.values(line)) {
      expect(cell).not.toMatch(/^\s*-/)
      for (const part of cell.split(/[;\t\r\n]/)) expect(part).not.toMatch(/^\s*[=+@]/)
    }
  }
})

test('an export has the lines of the list under the same filters, and nothing of another workspace', async () => {
  const keyword = await makeKeyword(acme)
  const mentions = await store(
    world,
    Array.from({ length: 9 }, () => matchedBy(makePost(world), [keyword])),
  )
  await score(world, mentions.slice(0, 4))
  const listed = (await acme.api('GET', '/v1/mentions?relevant=true')).body.data.map(({ id }: { id: string }) => id)
  expect((await lines('?relevant=true')).map(({ id }) => id)).toEqual(listed)
  expect(await lines('', await world.workspace(`Other ${made}`))).toEqual([])
})

test.each([
  [EXPORT_MAX, null],
  [EXPORT_MAX + 1, 'true'],
])('of %i mentions the header of truncation says %s', async (count, said) => {
  const keyword = await makeKeyword(acme)
  const [first] = await store(world, [matchedBy(makePost(world), [keyword])])
  await world.db.query(sql`
    with made as (
      insert into keyword (workspace_id, id, group_id, term, term_folded, kind, required_terms, required_mode,
        excluded_terms, excluded_authors, excluded_author_keys, case_sensitive, muted, created_at, judged_since)
      select k.workspace_id, gen_random_uuid(), k.group_id, 'k' || n, 'k' || n, 'topic', '{}', 'any', '{}', '{}', '{}',
        false, true, k.created_at, k.judged_since
      from keyword k, generate_series(2, ${count}::int) n where k.id = ${keyword.uuid} returning workspace_id, id)
    insert into mention (workspace_id, id, keyword_id, post_id, created_at, published_at, platform, is_reply, facets)
    select made.workspace_id, gen_random_uuid(), made.id, m.post_id, m.created_at, m.published_at, m.platform, false,
      '{}' from made, mention m where m.id = ${first!.mentionId}`)
  const { headers, body } = await exported()
  expect([headers.get('x-mentions-truncated'), parseCsv(body).length]).toEqual([said, 1 + EXPORT_MAX])
})

test('the six exports a minute are those of both forms together', async () => {
  for (let at = 0; at < 3; at += 1) {
    expect((await exported()).status).toBe(200)
    expect((await acme.api('GET', '/v1/mentions/export.json')).status).toBe(200)
  }
  for (const form of ['csv', 'json'])
    expect((await acme.api('GET', `/v1/mentions/export.${form}`)).body.error.code).toBe('rate_limited')
  await world.clock.advance(MINUTE_MS)
  expect((await exported()).status).toBe(200)
})

test.each(['newest', 'oldest', 'published', 'relevance', 'priority', 'engagement'])(
  'an export is in the order of the list, as much of it as is wanted: %s',
  async (sort) => {
    const keyword = await makeKeyword(acme)
    const now = world.clock.now()
    for (const [at, relevance] of [50, 90, 10, 90, 70].entries()) {
      const engagement = {
        likes: (at * 7) % 5,
        reposts: null,
        replies: null,
        quotes: null,
        views: null,
        bookmarks: null,
      }
      const made = await store(world, [
        matchedBy(makePost(world, { publishedAt: plus(now, -((at * 3) % 5) * MINUTE_MS), engagement }), [keyword]),
      ])
      await score(world, made, { relevance })
    }
    await world.clock.advance(MINUTE_MS)
    const listed = (await acme.api('GET', `/v1/mentions?sort=${sort}`)).body.data.map(({ id }: { id: string }) => id)
    expect(listed).toHaveLength(5)
    const json = (query: string) => acme.api('GET', `/v1/mentions/export.json?sort=${sort}${query}`)
    expect((await lines(`?sort=${sort}`)).map(({ id }) => id)).toEqual(listed)
    expect((await json('')).body).toMatchObject({ data: listed.map((id: string) => ({ id })), truncated: false })
    const cut = await exported(`?sort=${sort}&limit=3`)
    expect([
      parseCsv(cut.body)
        .slice(1)
        .map(([id]) => id),
      cut.headers.get('x-mentions-truncated'),
    ]).toEqual([listed.slice(0, 3), 'true'])
    expect((await json('&limit=3')).body).toMatchObject({
      data: listed.slice(0, 3).map((id: string) => ({ id })),
      truncated: true,
    })
    expect((await exported(`?sort=${sort}&limit=5`)).headers.get('x-mentions-truncated')).toBeNull()
  },
)

test('an export is a file with the day in its name', async () => {
  const day = world.clock.now().toISOString().slice(0, 10)
  const named = async (path: string) => (await acme.api('GET', path)).headers.get('content-disposition')
  expect(await named('/v1/mentions/export.csv')).toBe(`attachment; filename="mentions-${day}.csv"`)
  expect(await named('/v1/mentions/export.json')).toBe(`attachment; filename="mentions-${day}.json"`)
  expect(await named('/v1/people/export.csv')).toBe(`attachment; filename="people-${day}.csv"`)
  expect((await exported('?limit=10001')).body.error.message).toBe('limit: must be at most 10000')
})
