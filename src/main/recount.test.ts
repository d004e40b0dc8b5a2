import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/database-server.ts'
import { type Ended, earshot, temporaryDataDir } from '../../test/stand-ins/earshot-process.ts'
import { seedKeywords, seedWorkspaces, servicesOn } from '../../test/stand-ins/seeded.ts'
import { systemClock } from '../kernel/clock.ts'
import { toId, type Uuid } from '../kernel/ids.ts'
import { silentLog } from '../kernel/log.ts'
import { recountKeywords } from '../queries/keywords/recount-keywords.ts'
import { type Database, openDatabase, sql } from '../store/database.ts'
import { describeCount } from './recount.ts'

const folder = temporaryDataDir()
let database: TestDatabase
let db: Database
beforeAll(async () => {
  database = await createTestDatabase()
  db = openDatabase({ connection: database.connection, log: silentLog })
  const services = servicesOn(db)
  // More than are counted in one statement.
  await seedKeywords(db, await seedWorkspaces(services, 2), 120, (number) => `term ${number}`)
  await services.close()
})
afterAll(async () => {
  await db.close()
  await database.drop()
  await folder.remove()
})

test('a count that is off is told with its keyword and by how much, and names cannot move the cursor', () => {
  const id = '01a1f84a-95c0-7000-a498-6e5105a8d288' as Uuid
  const difference = {
    workspaceId: id,
    workspace: 'A\u001b[2Jcme',
    keywordId: id,
    term: 'node.js',
    count: 'scored',
    day: '2026-11-22',
    kept: 3,
    counted: 5,
  } as const
  expect(describeCount(difference)).toBe(
    `A [2Jcme (${toId('org', id)}), keyword node.js (${toId('kw', id)}), scored of 2026-11-22: 3 instead of 5, off by -2.`,
  )
  expect(describeCount({ ...difference, count: 'mentions', day: null })).toContain(', mentions: 3 instead of 5')
})

test('earshot doctor --recount ends with code 0 when every count is right, and with 1 when one is not, and changes nothing', async () => {
  const recount = (): Promise<Ended> =>
    earshot(['doctor', '--recount'], { DATA_DIR: folder.dataDir, DATABASE_URL: database.connection }).ended
  expect(await recount()).toMatchObject({
    code: 0,
    stderr: '',
    stdout: 'Counted 120 keywords anew.\nAll counts are correct.\n',
  })
  await db.query(
    sql`update keyword_counter set mentions = mentions + 1 where keyword_id = (select max(id::text)::uuid
        from keyword)`,
  )
  const { code, stdout, stderr } = await recount()
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
  expect(stdout).toMatch(
    /^Workspace 1 \(org_\w+\), keyword term 119 \(kw_\w+\), mentions: 1 instead of 0, off by 1\.$/m,
  )
  expect(stdout).toMatch(/^1 count is off\. Nothing was changed\.$/m)
  expect(await db.query(sql`select sum(mentions)::int as sum from keyword_counter`)).toEqual([{ sum: 1 }])
}, 60_000)

test('of very many differences the first are told, and how many there are', async () => {
  await db.query(sql`update keyword_counter set mentions = 1, relevant = 1, feedback_relevant = 1`)
  const { differences, off } = await recountKeywords(db, systemClock.now())
  expect([differences.length, off]).toEqual([200, 360])
  const keywords = await db.query<{ id: Uuid }>(sql`select id from keyword order by workspace_id, id limit 67`)
  expect(new Set(differences.map(({ keywordId }) => keywordId))).toEqual(new Set(keywords.map(({ id }) => id)))
  const { stdout } = await earshot(['doctor', '--recount'], {
    DATA_DIR: folder.dataDir,
    DATABASE_URL: database.connection,
  }).ended
  expect(stdout.match(/off by 1/g)).toHaveLength(200)
  expect(stdout).toMatch(/^And 160 more\.\n360 counts are off\. Nothing was changed\.$/m)
}, 60_000)
