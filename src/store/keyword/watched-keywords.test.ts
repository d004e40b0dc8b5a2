import { beforeAll, expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, store, type TestKeyword } from '../../../test/mentions.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { sql } from '../database.ts'
import { readWatched, readWatchedAfter, type WatchedBatch } from './watched-keywords.ts'

let keywords: TestKeyword[]
const world = useWorld()
const acme = useWorkspace(world, 'Acme')
beforeAll(async () => {
  keywords = []
  for (let at = 0; at < 5; at += 1) keywords.push(await makeKeyword(acme))
})

test('all keywords come in portions by id, each once, and muted ones do not come', async () => {
  const muted = await makeKeyword(acme)
  await world.db.query(sql`update keyword set muted = true where id = ${muted.uuid}`)
  const seen: Uuid[] = []
  let after: Uuid | null = null
  do {
    const portion: WatchedBatch = await readWatchedAfter(world.db, 'plain', after, 2)
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
    matching: {
      requiredTerms: ['a\tb', '"c", \\d'],
      requiredMode: 'all',
      excludedTerms: ['b*'],
      excludedAuthors: ['https://x.com/Ada'],
      caseSensitive: true,
    },
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

test('keywords with rules come apart from plain ones, in smaller portions, each once', async () => {
  const plain = (await readWatchedAfter(world.db, 'plain', null)).keywords.map(({ id }) => id)
  const ruled = await makeKeyword(acme, { matching: { excludedTerms: ['giveaway'] } })
  expect((await readWatchedAfter(world.db, 'plain', null)).keywords.map(({ id }) => id)).toEqual(plain)
  const seen: Uuid[] = []
  let after: Uuid | null = null
  do {
    const portion: WatchedBatch = await readWatchedAfter(world.db, 'ruled', after, 1)
    seen.push(...portion.keywords.map(({ id }) => id))
    after = portion.last
  } while (after !== null)
  expect(seen).toContain(ruled.uuid)
  expect(new Set(seen).size).toBe(seen.length)
  expect(seen.filter((id) => plain.includes(id))).toEqual([])
})

test('more keywords can be asked for by id than one portion holds', async () => {
  const ids = Array.from({ length: 1200 }, () => newUuid(world.clock.now()))
  expect((await readWatched(world.db, [...ids, ...keywords.map(({ uuid }) => uuid)])).map(({ id }) => id)).toEqual(
    keywords.map(({ uuid }) => uuid),
  )
})
