import { beforeAll, expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, mention, store, type TestKeyword } from '../../../test/mentions.ts'
import { liftWelcomeLimits } from '../../../test/rows.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { accepted } from '../../../test/world.ts'
import { sql } from '../../store/database.ts'
import { beginExport, EXPORT_MAX, exportNewest } from './export-mentions.ts'
import type { Mention } from './mention-shape.ts'
import { EVERY_MENTION, type ResolvedSearch, resolveSearch } from './search.ts'

let keyword: TestKeyword
let all: ResolvedSearch
const world = useWorld()
const acme = useWorkspace(world, 'Acme')
beforeAll(async () => {
  await liftWelcomeLimits(world)
  keyword = await makeKeyword(acme)
  await store(
    world,
    Array.from({ length: 450 }, () => matchedBy(makePost(world), [keyword])),
  )
  all = accepted(await resolveSearch(acme, EVERY_MENTION))
})

const begin = () => exportNewest(acme, all, { newest: null, limit: EXPORT_MAX })[Symbol.asyncIterator]()

test('many who read slowly hold no connection', async () => {
  // The pool of a test has four connections.
  const readers = Array.from({ length: 20 }, begin)
  for (const reader of readers) expect((await reader.next()).value?.mentions).toHaveLength(200)
  expect(await world.db.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
  for (const reader of readers) await reader.return?.()
})

test('an export holds what was there when it began, each once, in the order of the list', async () => {
  const expected = await world.db.query<{ id: string }>(
    sql`select id from mention where workspace_id = ${acme.workspaceId} order by id desc`,
  )
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
  const ids: string[] = portions.flatMap(({ mentions }) => mentions.map((mention: Mention) => mention.id))
  expect(new Set(ids).size).toBe(expected.length)
  expect(ids).toEqual([...ids].sort().reverse())
})

test('an export that says first how long it will be holds that much, whatever comes in before it is sent', async () => {
  const { portions, truncated } = await beginExport(acme, all, { sort: 'newest', limit: EXPORT_MAX })
  const { length } = await world.db.query(sql`select from mention where workspace_id = ${acme.workspaceId}`)
  await mention(world, keyword)
  const ids: string[] = []
  for await (const portion of portions) ids.push(...portion.mentions.map(({ id }) => id))
  expect([truncated, ids.length]).toEqual([false, length])
})

test('what fails while the next portion is looked for ahead is told to who waits for it, and to nobody once the reader has left', async () => {
  let asked = 0
  const query: typeof acme.db.query = (statement) => {
    asked += 1
    return asked % 2 === 1 ? acme.db.query(statement) : Promise.reject(new Error('the database has gone'))
  }
  const failing = { ...acme, db: { ...acme.db, query } }
  const waiting = exportNewest(failing, all, { newest: null, limit: EXPORT_MAX })[Symbol.asyncIterator]()
  expect((await waiting.next()).value?.mentions.length).toBeGreaterThan(0)
  await expect(waiting.next()).rejects.toThrow('the database has gone')
  // A failure that nobody hears would fail the whole run.
  const leaving = exportNewest(failing, all, { newest: null, limit: EXPORT_MAX })[Symbol.asyncIterator]()
  await leaving.next()
  expect(asked).toBe(4)
  await leaving.return?.()
})
