import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, store, type TestKeyword } from '../../test/mentions.ts'
import { createWorld, type TestWorkspace, type World } from '../../test/world.ts'
import { newUuid, type Uuid } from '../kernel/ids.ts'
import { sql } from './database.ts'
import { readWatched, readWatchedAfter, type WatchedPortion } from './watched-keywords.ts'

let world: World
let acme: TestWorkspace
let keywords: TestKeyword[]
beforeAll(async () => {
  world = await createWorld()
  acme = await world.workspace('Acme')
  keywords = []
  for (let at = 0; at < 5; at += 1) keywords.push(await makeKeyword(acme))
})
afterAll(() => world.close())

test('all keywords come in portions by id, each once, and muted ones do not come', async () => {
  const muted = await makeKeyword(acme)
  await world.db.query(sql`update keyword set muted = true where id = ${muted.uuid}`)
  const seen: Uuid[] = []
  let after: Uuid | null = null
  do {
    const portion: WatchedPortion = await readWatchedAfter(world.db, after, 2)
    seen.push(...portion.keywords.map(({ id }) => id))
    after = portion.last
  } while (after !== null)
  expect(seen).toEqual(keywords.map(({ uuid }) => uuid))
  expect(await readWatched(world.db, [muted.uuid])).toEqual([])
})

test('a keyword comes with its rules and the month for which it is capped', async () => {
  const keyword = await makeKeyword(acme, {
    term: 'Rocket',
    platforms: ['x', 'reddit'],
    cap: { mentions: 1 },
    matching: { requiredTerms: ['a\tb', '"c", \\d'], requiredMode: 'all', excludedTerms: ['b*'], excludedAuthors: ['https://x.com/Ada'], caseSensitive: true },
  })
  const read = async () => (await readWatched(world.db, [keyword.uuid, newUuid(world.clock.now())]))[0]
  const expected = {
    workspaceId: acme.workspaceId,
    id: keyword.uuid,
    term: 'Rocket',
    platforms: ['x', 'reddit'],
    matching: { requiredTerms: ['a b', '"c", \\d'], requiredMode: 'all', excludedTerms: ['b*'], caseSensitive: true },
    excludedAuthorKeys: ['https://x.com/ada'],
    cappedMonth: null,
  }
  expect(await read()).toEqual(expected)
  await store(world, [matchedBy(makePost(world), [keyword])])
  expect(await read()).toEqual({ ...expected, cappedMonth: '2026-11-01' })
})

test.each(['C:\\temp', 'a "b" c', '日本 語', '👩‍🚀 rocket', "l'été"])('the term %s comes as it is', async (term) => {
  const { uuid } = await makeKeyword(acme, { term })
  expect((await readWatched(world.db, [uuid]))[0]?.term).toBe(term)
})

test('a keyword on no platform and one on all are told apart', async () => {
  const everywhere = await makeKeyword(acme)
  const nowhere = await makeKeyword(acme)
  await world.db.query(sql`update keyword set platforms = '{}' where id = ${nowhere.uuid}`)
  expect((await readWatched(world.db, [everywhere.uuid]))[0]?.platforms).toBeNull()
  expect((await readWatched(world.db, [nowhere.uuid]))[0]?.platforms).toEqual([])
})

test('keywords with rules as large as they come are read in portions that stay small, and none is lost', async () => {
  const before = await readWatched(
    world.db,
    keywords.map(({ uuid }) => uuid),
  )
  // 100 authors of 500 characters each, four bytes a character: 200 KB a keyword, 60 MB in all.
  const rows = await world.db.query<{ id: Uuid }>(sql`
    insert into keyword (workspace_id, id, group_id, term, term_folded, kind, required_terms, required_mode, excluded_terms, excluded_authors, excluded_author_keys, case_sensitive, muted, created_at, judged_since)
    select k.workspace_id, gen_random_uuid(), k.group_id, 'large ' || n, 'large ' || n, 'topic', '{}', 'any', '{}', '{}', array(select repeat('😀', 500) from generate_series(1, 100)), false, false,
      k.created_at, k.judged_since from keyword k, generate_series(1, 300) n where k.id = ${keywords[0]!.uuid} returning id`)
  const large = rows.map(({ id }) => id).sort()
  const sizes: number[] = []
  const seen: Uuid[] = []
  let after: Uuid | null = null
  do {
    const portion: WatchedPortion = await readWatchedAfter(world.db, after, 10_000)
    sizes.push(portion.keywords.reduce((sum, { excludedAuthorKeys }) => sum + Buffer.byteLength(excludedAuthorKeys.join()), 0))
    seen.push(...portion.keywords.map(({ id }) => id))
    after = portion.last
  } while (after !== null)
  expect(Math.max(...sizes)).toBeLessThan(17 * 1024 * 1024)
  expect(seen).toEqual([...new Set(seen)].sort())
  expect(seen).toEqual(expect.arrayContaining([...large, ...before.map(({ id }) => id)]))
  expect((await readWatched(world.db, large)).map(({ id }) => id)).toEqual(large)
  await world.db.query(sql`delete from keyword where id = any(${large}::uuid[])`)
})
