import pg from 'pg'
import { expect, test } from 'vitest'
import { createEmptyDatabase, createTestDatabase } from './database-server.ts'

async function tables(connection: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: connection })
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' order by 1",
  )
  await client.end()
  return rows.map((row) => row.name)
}

test('every test database has the schema and is a world of its own', async () => {
  const [first, second] = await Promise.all([createTestDatabase(), createTestDatabase()])
  try {
    const client = new pg.Client({ connectionString: first.connection })
    await client.connect()
    await client.query('create table only_here (id int)')
    await client.end()
    expect(await tables(first.connection)).toContain('only_here')
    expect(await tables(second.connection)).not.toContain('only_here')
    expect((await tables(second.connection)).length).toBeGreaterThan(1)
  } finally {
    await Promise.all([first.drop(), second.drop()])
  }
})

test('a dropped database is gone although a connection to it was open', async () => {
  const database = await createEmptyDatabase()
  const client = new pg.Client({ connectionString: database.connection })
  client.on('error', () => undefined)
  await client.connect()
  await database.drop()
  await expect(tables(database.connection)).rejects.toThrow(/does not exist/)
})
