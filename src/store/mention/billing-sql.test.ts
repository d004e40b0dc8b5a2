import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database-server.ts'
import { isBillable } from '../../domain/mention/billing.ts'
import { silentLog } from '../../kernel/log.ts'
import { type Database, openDatabase, sql } from '../database.ts'
import { BILLABLE } from './billing-sql.ts'

let database: TestDatabase
let db: Database
beforeAll(async () => {
  database = await createTestDatabase()
  db = openDatabase({ connection: database.connection, poolSize: 1, log: silentLog })
})
afterAll(async () => {
  await db.close()
  await database.drop()
})

test('the database holds the same mentions for billable as the domain', async () => {
  const rows = await db.query<{ scored_at: Date | null; failed: boolean; free: boolean; billable: boolean }>(sql`
    select scored_at, failed, free, ${sql.raw(BILLABLE)} as billable
    from (values (null::timestamptz), (now())) s (scored_at), (values (false), (true)) f (failed),
      (values (false), (true)) g (free)`)
  expect(rows).toHaveLength(8)
  for (const { scored_at, failed, free, billable } of rows)
    expect(billable).toBe(isBillable({ scored: scored_at !== null && !failed, free }))
})
