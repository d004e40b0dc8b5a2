import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/database-server.ts'
import { type Ended, earshot, temporaryDataDir } from '../../test/stand-ins/earshot-process.ts'
import { servicesOn } from '../../test/stand-ins/seeded.ts'
import { createWorkspace } from '../commands/workspaces/create-workspace.ts'
import { systemClock } from '../kernel/clock.ts'
import { toId, type Uuid } from '../kernel/ids.ts'
import { silentLog } from '../kernel/log.ts'
import { type Difference, LEDGER_CHECKS } from '../queries/wallet/verify-ledger.ts'
import { type Database, openDatabase, sql } from '../store/database.ts'
import { describeDifference } from './ledger.ts'

const ID = '01a1f84a-95c0-7000-a498-6e5105a8d288' as Uuid
const DIFFERENCE: Difference = {
  check: 'keyword-day-price',
  workspace: { id: ID, name: 'Acme' },
  day: '2026-11-22',
  keyword: { id: ID, term: 'node.js' },
  entryId: null,
  expected: 500,
  found: 499,
}

describe('a difference is told with where it is and by how much it is off', () => {
  test.each<[string, Partial<Difference>, string]>([
    [
      'of a keyword and a day',
      {},
      `Acme (${toId('org', ID)}), 2026-11-22, keyword node.js (${toId('kw', ID)}): a keyword was not charged at the list price: 16 19/30 cents instead of 16 20/30 cents, off by -1/30 cents.`,
    ],
    [
      'of an entry',
      { check: 'postings', keyword: null, day: null, entryId: ID, expected: -60, found: 15 },
      `Acme (${toId('org', ID)}), entry ${toId('led', ID)}: an entry is not what was posted for it: 15/30 cents instead of -2 cents, off by 2 15/30 cents.`,
    ],
    [
      'of a number',
      { check: 'billed-twice', day: null, keyword: { id: ID, term: null }, expected: 3, found: 5 },
      `Acme (${toId('org', ID)}), ${toId('kw', ID)}: more mentions were billed than there were matches to bill: 5 instead of 3, off by 2.`,
    ],
    ['of a hostile name', { workspace: { id: ID, name: 'A\u001b[2Jcme' } }, 'A [2Jcme (org_'],
  ])('%s', (_name, change, text) => {
    expect(describeDifference({ ...DIFFERENCE, ...change })).toContain(text)
  })

  test('in words for every check', () => {
    for (const check of LEDGER_CHECKS)
      expect(describeDifference({ ...DIFFERENCE, check })).toMatch(/: .{20,}: .+, off by .+\.$/)
  })
})

describe('earshot ledger verify', () => {
  const folder = temporaryDataDir()
  let database: TestDatabase
  let db: Database
  beforeAll(async () => {
    database = await createTestDatabase()
    db = openDatabase({ connection: database.connection, log: silentLog })
    const services = servicesOn(db)
    await createWorkspace({ ...services, clock: systemClock }, 'Acme')
    await services.close()
  })
  afterAll(async () => {
    await db.close()
    await database.drop()
    await folder.remove()
  })
  const verify = (): Promise<Ended> =>
    earshot(['ledger', 'verify'], { DATA_DIR: folder.dataDir, DATABASE_URL: database.connection }).ended

  test('ends with code 0 when everything adds up, and with 1 when it does not, and changes nothing', async () => {
    expect(await verify()).toMatchObject({
      code: 0,
      stderr: '',
      stdout: 'Looked at 1 ledger entry of 1 workspace.\nEverything adds up.\n',
    })
    await db.query(sql`update workspace set balance_units = balance_units + 30`)
    const { code, stdout, stderr } = await verify()
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(stdout).toMatch(
      /^Acme \(org_\w+\): the balance is not the sum of the ledger: 581 cents instead of 580 cents, off by 1 cents\.$/m,
    )
    expect(stdout).toMatch(/^2 differences\. Nothing was changed\.$/m)
    expect(await db.query(sql`select balance_units from workspace`)).toEqual([{ balance_units: 17_430 }])
  }, 60_000)
})
