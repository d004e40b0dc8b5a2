import { beforeEach, describe, expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, mention, score, store } from '../../../test/mentions.ts'
import { useWorld } from '../../../test/use-world.ts'
import type { TestWorkspace } from '../../../test/world.ts'
import { MINUTE_MS } from '../../kernel/clock.ts'
import { EXPORT_MAX } from '../../queries/mentions/export-mentions.ts'
import { sql } from '../../store/database.ts'
import { mention as mentionShape } from './shapes.ts'

let acme: TestWorkspace
let made = 0
const world = useWorld()
beforeEach(async () => {
  made += 1
  acme = await world.workspace(`Workspace ${made}`)
})

const exported = (query = '', workspace = acme) => workspace.api('GET', `/v1/mentions/export.json${query}`)

/** Narrow mentions of one post, made by the server. */
async function many(count: number): Promise<void> {
  const keyword = await makeKeyword(acme)
  const [first] = await store(world, [matchedBy(makePost(world), [keyword])])
  // One mention for a keyword and post: as many keywords as mentions, without what keywords need otherwise.
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
}

test('an export of nothing is whole', async () => {
  const { status, headers, body } = await exported()
  expect([status, headers.get('content-type'), body]).toEqual([
    200,
    expect.stringMatching(/^application\/json/),
    { data: [], truncated: false },
  ])
})

test('an export has what the list has, in the same order, under the same filters', async () => {
  const keyword = await makeKeyword(acme)
  const mentions = await store(
    world,
    Array.from({ length: 30 }, () => matchedBy(makePost(world, { text: 'Quotes " and\nlines \u2028.' }), [keyword])),
  )
  await score(world, mentions.slice(0, 10))
  const all = await acme.api('GET', '/v1/mentions?limit=100')
  expect((await exported()).body).toEqual({ data: all.body.data, truncated: false })
  const relevant = await acme.api('GET', '/v1/mentions?limit=100&relevant=true')
  expect((await exported('?relevant=true')).body.data).toEqual(relevant.body.data)
  // Streamed answers are not held against their schema by the door.
  for (const item of (await exported()).body.data) mentionShape.parse(item)
})

test('an export of another workspace holds nothing of this one', async () => {
  await mention(world, await makeKeyword(acme))
  expect((await exported('', await world.workspace('Other'))).body.data).toEqual([])
})

describe('an export', () => {
  test.each([
    [EXPORT_MAX, false],
    [EXPORT_MAX + 1, true],
  ])('of %i mentions: truncated %s', async (count, truncated) => {
    await many(count)
    const { status, body } = await exported()
    expect([status, body.truncated, body.data.length]).toEqual([200, truncated, EXPORT_MAX])
    const ids: string[] = body.data.map(({ id }: { id: string }) => id)
    expect(ids).toEqual([...new Set(ids)].sort().reverse())
  })

  test('is sent while it is made', async () => {
    await many(3000)
    const reply = await fetch(`${world.origin}/v1/mentions/export.json`, {
      headers: { authorization: `Bearer ${acme.readKey}` },
    })
    expect(reply.headers.get('content-length')).toBeNull()
    let chunks = 0
    for await (const _ of reply.body!) chunks += 1
    expect(chunks).toBeGreaterThan(5)
  })

  test('that nobody reads to its end gives its connection back', async () => {
    await many(3000)
    for (let at = 0; at < 5; at += 1) {
      const leaving = new AbortController()
      const reply = await fetch(`${world.origin}/v1/mentions/export.json`, {
        headers: { authorization: `Bearer ${acme.readKey}` },
        signal: leaving.signal,
      })
      await reply.body!.getReader().read()
      leaving.abort()
    }
    expect((await acme.api('GET', '/v1/mentions?limit=1')).status).toBe(200)
  })
})

test('what is refused, and the head of an export, use up none of them', async () => {
  for (let at = 0; at < 8; at += 1) expect((await exported('?relevant=yes')).status).toBe(400)
  for (let at = 0; at < 8; at += 1) expect((await acme.api('HEAD', '/v1/mentions/export.json')).status).toBe(200)
  for (let at = 0; at < 6; at += 1) expect((await exported()).status).toBe(200)
  expect((await exported()).status).toBe(429)
})

test('six exports a minute are granted, to all keys of the workspace together', async () => {
  for (let at = 0; at < 6; at += 1)
    expect(
      (await acme.api('GET', '/v1/mentions/export.json', undefined, at % 2 ? { key: acme.readKey } : {})).status,
    ).toBe(200)
  const { status, headers, body } = await exported()
  expect([status, body.error.code, body.error.retryAfterSeconds]).toEqual([
    429,
    'rate_limited',
    Number(headers.get('retry-after')),
  ])
  expect(body.error.retryAfterSeconds >= 1 && body.error.retryAfterSeconds <= 60).toBe(true)
  expect((await exported('', await world.workspace('Other'))).status).toBe(200)
  expect((await acme.api('GET', '/v1/mentions')).status).toBe(200)
  await world.clock.advance(MINUTE_MS)
  expect((await exported()).status).toBe(200)
})

test.each([
  ['limit=0', 'limit: must be at least 1'],
  ['cursor=x', 'cursor: is not a parameter of this operation'],
  ['relevant=yes', 'relevant: must be true or false'],
])('%s is refused by naming the parameter', async (query, message) => {
  const { status, body } = await exported(`?${query}`)
  expect([status, body.error.code, body.error.message]).toEqual([400, 'validation_error', message])
})
