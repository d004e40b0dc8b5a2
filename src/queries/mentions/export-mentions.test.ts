import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, mention, store, type TestKeyword } from '../../../test/mentions.ts'
import { createWorld, type TestWorkspace, type World } from '../../../test/world.ts'
import { sql } from '../../store/database.ts'
import { exportMentions } from './export-mentions.ts'
import type { MentionSearch } from './list-mentions.ts'
import type { Mention } from './mention-shape.ts'

let world: World
let acme: TestWorkspace
let keyword: TestKeyword
beforeAll(async () => {
  world = await createWorld()
  acme = await world.workspace('Acme')
  await world.db.query(sql`update workspace set welcome_limits = false`)
  keyword = await makeKeyword(acme)
  await store(
    world,
    Array.from({ length: 450 }, () => matchedBy(makePost(world), [keyword])),
  )
})
afterAll(() => world.close())

const ALL: MentionSearch = { filter: {}, q: null, since: null, until: null }
const begin = () => exportMentions(acme, ALL)[Symbol.asyncIterator]()

test('many who read slowly hold no connection', async () => {
  // The pool of a test has four connections.
  const readers = Array.from({ length: 20 }, begin)
  for (const reader of readers) expect((await reader.next()).value?.mentions).toHaveLength(200)
  expect(await world.db.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
  for (const reader of readers) await reader.return?.()
})

test('an export holds what was there when it began, each once, in the order of the list', async () => {
  const expected = await world.db.query<{ id: string }>(sql`select id from mention where workspace_id = ${acme.workspaceId} order by id desc`)
  const reader = begin()
  const first = await reader.next()
  await mention(world, keyword)
  const portions = [first.value!, (await reader.next()).value!, (await reader.next()).value!]
  expect((await reader.next()).done).toBe(true)
  expect(portions.map(({ mentions, truncated }) => [mentions.length, truncated])).toEqual([
    [200, false],
    [200, false],
    [50, false],
  ])
  const ids: string[] = portions.flatMap(({ mentions }) => mentions.map((one: Mention) => one.id))
  expect(new Set(ids).size).toBe(expected.length)
  expect(ids).toEqual([...ids].sort().reverse())
})
