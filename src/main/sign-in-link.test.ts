import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/database-server.ts'
import { type Ended, earshot } from '../../test/stand-ins/earshot-process.ts'
import { SECRET_KEY } from '../../test/stand-ins/seeded.ts'
import { OPERATOR_LINK_MS } from '../domain/account/account.ts'
import { systemClock } from '../kernel/clock.ts'
import { newUuid } from '../kernel/ids.ts'
import { silentLog } from '../kernel/log.ts'
import { secretOf } from '../kernel/secrets.ts'
import { type Database, openDatabase, sql } from '../store/database.ts'

let database: TestDatabase
let db: Database
let dataDir: string
const userId = newUuid(systemClock.now())
beforeAll(async () => {
  database = await createTestDatabase()
  db = openDatabase({ connection: database.connection, poolSize: 1, log: silentLog })
  dataDir = mkdtempSync(join(tmpdir(), 'earshot-link-'))
  await db.query(sql`
    insert into user_account (id, email, email_folded, name, created_at)
      values (${userId}, 'Ada@Example.com', 'ada@example.com', 'Ada', ${systemClock.now()})`)
})
afterAll(async () => {
  await db.close()
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

function signInLink(...args: string[]): Promise<Ended> {
  const settings = {
    DATABASE_URL: database.connection,
    EARSHOT_SECRET_KEY: SECRET_KEY,
    DATA_DIR: dataDir,
    PUBLIC_URL: 'https://ears.example',
  }
  return earshot(['sign-in-link', ...args], settings).ended
}

const links = () =>
  db.query<{ hash: Buffer; userId: string; mailed: boolean; lastsMs: number }>(sql`
    select hash, user_id as "userId", mailed, (extract(epoch from expires_at - created_at) * 1000)::integer as "lastsMs"
      from email_link`)

describe('sign-in-link', { timeout: 60_000 }, () => {
  test('prints one link at the address of the installation and nothing else, which is good for that account for an hour', async () => {
    const { code, stdout, stderr } = await signInLink(' ADA@example.com ')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const [, secret] = /^https:\/\/ears\.example\/[a-z/-]+\/(lnk_[\w-]{43})\n$/.exec(stdout) ?? []
    expect(await links()).toEqual([{ hash: secretOf(secret!)!.hash, userId, mailed: false, lastsMs: OPERATOR_LINK_MS }])
    const [account] = await db.query<{ confirmed: Date | null }>(
      sql`select email_confirmed_at as confirmed from user_account`,
    )
    expect(account!.confirmed).toBeNull()
  })

  test.each([
    ['eve@example.com', 4, 'Nobody has an account with the address eve@example.com.\n'],
    ['ada', 2, 'email: must be an e-mail address\n'],
  ])('for %s makes none, ends with %i and says why', async (email, code, message) => {
    const before = await links()
    expect(await signInLink(email)).toMatchObject({ code, stdout: '', stderr: message })
    expect(await links()).toEqual(before)
  })
})
