import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Uuid } from '../../src/kernel/ids.ts'
import { CATALOGUE } from '../../src/operations/catalogue.ts'
import { migrateDatabase } from '../../src/store/migrate.ts'
import { createEmptyDatabase, type TestDatabase } from '../database-server.ts'
import { credentialFor } from '../people.ts'
import { sampleRequest } from '../requests.ts'
import { createWorld, type World } from '../world.ts'
import { loadDump, presentMigrations, readDumps, readRows, tablesOf } from './dump.ts'

const DUMPS = readDumps()

/** What answers with another status, because it needs something outside of the database. */
const NEEDS: Readonly<Record<string, number>> = {
  'get-slack': 503,
  'list-slack-channels': 503,
  'list-invoices': 503,
  'get-invoice-url': 503,
}

/** Lists that hold no rows of the dump, and why. */
const EMPTY: Readonly<Record<string, string>> = {
  'list-sources': 'They are what the installation reaches, and tests reach none.',
  'list-suggestions': 'They are worked out of many mentions.',
}

const READ = CATALOGUE.filter(({ method, access, streams }) => method === 'GET' && access === 'read' && !streams)

test('a dump of each version is kept', () => {
  expect(DUMPS.length).toBeGreaterThan(0)
  expect(new Set(DUMPS.map(({ version }) => version)).size).toBe(DUMPS.length)
})

describe.each(DUMPS)('of $version', (dump) => {
  let place: TestDatabase
  let world: World
  let applied: string[]
  beforeAll(async () => {
    place = await createEmptyDatabase()
    await loadDump(place.connection, dump)
    applied = await migrateDatabase(place.connection)
    world = await createWorld({ database: place, secretKey: dump.secretKey })
    world.clock.set(new Date(dump.at))
  })
  afterAll(async () => world.close())

  test('no migration was changed since: a change is a migration of its own', () => {
    const present = new Map(presentMigrations().map(({ name, hash }) => [name, hash]))
    expect(dump.migrations.map(({ name }) => ({ name, hash: present.get(name) }))).toEqual(dump.migrations)
  })

  test('the migrations after it are applied, and no other', () => {
    const known = new Set(dump.migrations.map(({ name }) => name))
    expect(applied).toEqual(presentMigrations().flatMap(({ name }) => (known.has(name) ? [] : [name])))
  })

  test('every table of its schema has a row', async () => {
    const former = await createEmptyDatabase()
    const client = new pg.Client({ connectionString: former.connection })
    try {
      await loadDump(former.connection, dump)
      await client.connect()
      const { rows } = await readRows(client)
      expect((await tablesOf(client)).filter((table) => rows[table]!.length === 0)).toEqual([])
      expect(rows).toEqual(dump.rows)
    } finally {
      await client.end()
      await former.drop()
    }
  })

  test.each(READ)('$id reads it', async (operation) => {
    const workspace = { ...world.services, workspaceId: dump.workspaceId as Uuid, writeKey: dump.key }
    const request = await sampleRequest(operation, async (prefix) => dump.ids[prefix]!)
    const { status, body } = await world.api(request.method, request.path, request.body, {
      key: await credentialFor(workspace, operation),
    })
    expect(status, JSON.stringify(body)).toBe(NEEDS[operation.id] ?? operation.status)
    if (!operation.id.startsWith('list-') || operation.id in EMPTY || operation.id in NEEDS) return
    expect(body.data.length, `${request.path} shows nothing of the dump`).toBeGreaterThan(0)
  })
})
