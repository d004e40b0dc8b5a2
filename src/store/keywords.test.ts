import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, store, type TestKeyword } from '../../test/mentions.ts'
import { createWorld, type TestWorkspace, type World } from '../../test/world.ts'
import { newUuid, type Uuid } from '../kernel/ids.ts'
import { sql } from './database.ts'
import { lockKeyword, readWatched, removeKeywords, updateKeyword } from './keywords.ts'

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

describe('what matchers read', () => {
  test('comes in portions by id, every keyword once', async () => {
    const seen: Uuid[] = []
    let after: Uuid | null = null
    for (;;) {
      const portion: { id: Uuid }[] = await readWatched(world.db, { after, limit: 2 })
      seen.push(...portion.map(({ id }) => id))
      if (portion.length < 2) break
      after = portion.at(-1)!.id
    }
    expect(seen).toEqual(keywords.map(({ uuid }) => uuid))
  })

  test('is the whole keyword, with the month for which it is capped', async () => {
    const keyword = await makeKeyword(acme, {
      term: 'Rocket',
      kind: 'topic',
      platforms: ['x'],
      context: 'The vehicle.',
      cap: { mentions: 1 },
      matching: { requiredTerms: ['a'], requiredMode: 'all', excludedTerms: ['b*'], excludedAuthors: ['https://x.com/Ada'], caseSensitive: true },
    })
    const read = async () => (await readWatched(world.db, { ids: [keyword.uuid, newUuid(world.clock.now())] }))[0]
    const expected = {
      workspaceId: acme.workspaceId,
      id: keyword.uuid,
      groupId: expect.any(String),
      term: 'Rocket',
      kind: 'topic',
      platforms: ['x'],
      matching: { requiredTerms: ['a'], requiredMode: 'all', excludedTerms: ['b*'], caseSensitive: true },
      excludedAuthorKeys: ['https://x.com/ada'],
      muted: false,
      cappedMonth: null,
      context: 'The vehicle.',
      groupContext: null,
    }
    expect(await read()).toEqual(expected)
    await store(world, [matchedBy(makePost(world), [keyword])])
    expect(await read()).toEqual({ ...expected, cappedMonth: '2026-11-01' })
  })
})

test('what is stored is what is read', async () => {
  const { uuid } = keywords[0]!
  await world.db.transaction(async (tx) => {
    const before = (await lockKeyword(tx, acme.workspaceId, uuid))!
    const after = {
      ...before,
      kind: 'topic' as const,
      platforms: [],
      context: 'Now.',
      muted: true,
      pausedForBalance: true,
      capOwn: 7,
      excludedAuthorKeys: ['x'],
    }
    await updateKeyword(tx, after)
    expect(await lockKeyword(tx, acme.workspaceId, uuid)).toEqual(after)
  })
})

test('a keyword is found in its own workspace only', async () => {
  const other = await world.workspace('Other')
  await world.db.transaction(async (tx) => {
    expect(await lockKeyword(tx, other.workspaceId, keywords[1]!.uuid)).toBeNull()
    await removeKeywords(tx, other.workspaceId, [keywords[1]!.uuid], world.clock.now())
    await removeKeywords(tx, acme.workspaceId, [], world.clock.now())
  })
  expect(await world.db.query(sql`select 1 from keyword where id = ${keywords[1]!.uuid}`)).toHaveLength(1)
})
