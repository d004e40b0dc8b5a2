import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { schemaOf } from '../../scripts/documents/schema.ts'
import { createEmptyDatabase, type TestDatabase } from '../../test/database-server.ts'
import { sql } from '../../test/database-setup.ts'
import { migrateDatabase } from './migrate.ts'

const NAMES = readdirSync(join(import.meta.dirname, 'migrations'))
  .filter((name) => name.endsWith('.sql'))
  .map((name) => name.replace('.sql', ''))
  .sort()

let place: TestDatabase
beforeEach(async () => {
  place = await createEmptyDatabase()
})
afterEach(() => place.drop())

const tables = () =>
  sql<{ name: string }>(
    place.connection,
    `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
  )

test('an empty database gets every migration once, in order, and nothing the second time', async () => {
  expect(await migrateDatabase(place.connection)).toEqual(NAMES)
  const before = await tables()
  expect(before.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['workspace', 'keyword', 'mention', 'mention_15', 'delivery']),
  )
  expect(await migrateDatabase(place.connection)).toEqual([])
  expect(await tables()).toEqual(before)
})

test('of several processes at once one migrates and the others find nothing to do', async () => {
  const results = await Promise.all([1, 2, 3].map(() => migrateDatabase(place.connection)))
  expect(results.map((applied) => applied.length).sort()).toEqual([0, 0, NAMES.length])
})

test('a migration that fails leaves nothing behind, and the next start does it anew', async () => {
  await sql(place.connection, 'create table delivery_queue (somebody int)')
  await expect(migrateDatabase(place.connection)).rejects.toThrow('already exists')
  expect((await tables()).map(({ name }) => name).filter((name) => !name.startsWith('kysely'))).toEqual([
    'delivery_queue',
  ])
  await sql(place.connection, 'drop table delivery_queue')
  expect(await migrateDatabase(place.connection)).toEqual(NAMES)
})

test('every table of a workspace begins its primary key and unique indexes with the workspace', async () => {
  await migrateDatabase(place.connection)
  const odd = await sql<{ name: string }>(
    place.connection,
    `select i.indexrelid::regclass::text as name from pg_index i
     join pg_attribute w on w.attrelid = i.indrelid and w.attname = 'workspace_id' join pg_class c on c.oid = i.indrelid
     where c.relnamespace = 'public'::regnamespace and i.indisunique and i.indkey[0] <> w.attnum order by 1`,
  )
  // A secret is looked up by its hash, before its workspace is known.
  expect(odd.map(({ name }) => name)).toEqual([
    'api_key_pkey',
    'inspection_by_token',
    'oauth_code_pkey',
    'oauth_token_pkey',
    'user_session_pkey',
  ])
})

test('the schema that the documents show is what the migrations make', async () => {
  await migrateDatabase(place.connection)
  const shown = readFileSync(new URL('../../docs/generated/schema.sql', import.meta.url), 'utf8')
  expect(await schemaOf(place.connection), 'run npm run generate').toBe(shown)
})

test('a database with a newer schema is refused by the name of its migration, and nothing in it is touched', async () => {
  await migrateDatabase(place.connection)
  const newer = '9999-of-the-future'
  await sql(place.connection, `insert into kysely_migration values ('${newer}', '2030-01-01T00:00:00.000Z')`)
  const before = await tables()
  await expect(migrateDatabase(place.connection)).rejects.toThrow(
    `the database has the migration ${newer} of a newer Earshot; start that version, or a newer one`,
  )
  expect(await tables()).toEqual(before)
})

test('a database that another build has made is refused, and nothing in it is touched', async () => {
  await migrateDatabase(place.connection)
  await sql(place.connection, "update kysely_migration set name = '0001-foundation' where name = '0001-baseline'")
  await expect(migrateDatabase(place.connection)).rejects.toThrow(
    'the database was made by another build of Earshot, with the migration 0001-foundation; give this one a database of its own',
  )
})
