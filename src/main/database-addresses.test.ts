import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/database-server.ts'
import { earshot, temporaryDataDir } from '../../test/stand-ins/earshot-process.ts'

let database: TestDatabase
let other: TestDatabase
const folder = temporaryDataDir()
beforeAll(async () => {
  database = await createTestDatabase()
  other = await createTestDatabase()
})
afterAll(async () => {
  await database.drop()
  await other.drop()
  await folder.remove()
})

const doctorWith = (direct: string) =>
  earshot(['doctor'], { DATA_DIR: folder.dataDir, DATABASE_URL: database.connection, DATABASE_DIRECT_URL: direct })
    .ended

test('the address past the pooler leads to the same database, or nothing starts', async () => {
  expect((await doctorWith(database.connection)).stdout).toMatch(
    /past the pooler +DATABASE_DIRECT_URL, the same database/,
  )
  expect(await doctorWith(other.connection)).toMatchObject({
    code: 1,
    stderr: 'DATABASE_DIRECT_URL: leads to another database than DATABASE_URL.\n',
  })
  const { stderr } = await doctorWith('postgres://nobody@127.0.0.1:9/none')
  expect(stderr).toBe('DATABASE_DIRECT_URL: the database cannot be used: connect ECONNREFUSED 127.0.0.1:9.\n')
})
