import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database-server.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { silentLog } from '../../kernel/log.ts'
import { type Database, openDatabase, sql } from '../database.ts'
import { keepWords, readWordsBeginning, SearchWords, shelfOf } from './search-words.ts'

let database: TestDatabase
let db: Database
beforeAll(async () => {
  database = await createTestDatabase()
  db = openDatabase({ connection: database.connection, poolSize: 3, log: silentLog })
})
beforeEach(() => db.query(sql`truncate search_word`))
afterAll(async () => {
  await db.close()
  await database.drop()
})

const onShelf = (digits: string) => `01900000-0000-7000-8000-000000${digits}` as Uuid
const ACME = onShelf('000001')
const keep = (words: readonly string[], known: SearchWords | null = null, workspaceId = ACME) =>
  db.transaction((tx) => keepWords(tx, [{ workspaceId, words }], known))
const beginning = (word: string, limit = 100, workspaceId = ACME) => readWordsBeginning(db, workspaceId, word, limit)
const rows = async () => (await db.query<{ count: number }>(sql`select count(*) from search_word`))[0]!.count

test('words are found by their beginnings, in order, without what is as long as a beginning may be', async () => {
  await keep(['google', 'googling', 'good', 'goo', 'gopher', 'gooß', 'goo火', 'goo\u{1e943}'])
  expect(await beginning('goo')).toEqual(['good', 'google', 'googling', 'gooß', 'goo火', 'goo\u{1e943}'])
  expect(await beginning('google')).toEqual([])
  expect(await beginning('goo', 2)).toEqual(['good', 'google'])
})

test('a word is kept once, and workspaces share sixteen shelves', async () => {
  await keep(['google'])
  await keep(['google', 'googling'])
  await keep(['google'], null, onShelf('000011'))
  expect(await rows()).toBe(2)
  await keep(['google'], null, onShelf('000002'))
  expect(await rows()).toBe(3)
  expect(await beginning('goo', 100, onShelf('000003'))).toEqual([])
  const shelves = Array.from({ length: 500 }, () => shelfOf(newUuid(new Date(0))))
  expect(new Set(shelves).size).toBe(16)
})

test('what a process knows is not asked for again, and it knows only what others can see', async () => {
  const known = new SearchWords()
  const undone = db.transaction(async (tx) => {
    await keepWords(tx, [{ workspaceId: ACME, words: ['google'] }], known)
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect(known.has(shelfOf(ACME), 'google')).toBe(false)
  await keep(['google'], known)
  expect([await rows(), known.has(shelfOf(ACME), 'google')]).toEqual([1, false])
  await keep(['google'], known)
  expect([await rows(), known.has(shelfOf(ACME), 'google')]).toEqual([1, true])
  await db.query(sql`truncate search_word`)
  await keep(['google'], known)
  expect(await rows()).toBe(0)
})

test('known words are told apart by their shelves, and the newest stay', () => {
  const known = new SearchWords()
  for (let at = 0; at < 100_000; at += 1) known.add(at % 16, `word${at}`)
  let kept = 0
  for (let at = 0; at < 100_000; at += 1) {
    if (known.has(at % 16, `word${at}`)) kept += 1
    expect(known.has((at + 1) % 16, `word${at}`)).toBe(false)
  }
  expect(kept).toBeGreaterThan(85_000)
  expect(known.has(15, 'word99999')).toBe(true)
})

test('two who store the same new word at once do not wait for each other', async () => {
  await db.transaction(async (tx) => {
    await keepWords(tx, [{ workspaceId: ACME, words: ['google'] }], null)
    await keep(['google'])
  })
  expect(await beginning('goo')).toEqual(['google'])
})
