import { afterEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/database-server.ts'
import { type DatabaseLink, openDatabaseLink } from '../../test/stand-ins/database-link.ts'
import { freePort } from '../../test/stand-ins/free-port.ts'
import { until } from '../../test/until.ts'
import { silentLog } from '../kernel/log.ts'
import { withSession } from './backup/session.ts'
import { type Database, DatabaseUnavailable, openDatabase, sql } from './database.ts'
import { knownMigrations, migrateDatabase } from './migrate.ts'
import { addressesOf } from './servers.ts'

test.each([
  ['postgres://u:p@h/d', ['postgres://u:p@h/d']],
  ['postgres://u:a,b@h:1/d?x=1,2', ['postgres://u:a,b@h:1/d?x=1,2']],
  ['postgres://u:p@one:1,[::1]:2/d?x=1', ['postgres://u:p@one:1/d?x=1', 'postgres://u:p@[::1]:2/d?x=1']],
  ['postgresql://%2Frun%2Fa,two', ['postgresql://%2Frun%2Fa', 'postgresql://two']],
  ['', ['']],
])('%j leads to %j', (address, single) => expect(addressesOf(address)).toEqual(single))

describe('an address with several hosts', () => {
  let place: TestDatabase
  let db: Database | undefined
  let links: DatabaseLink[] = []
  afterEach(async () => {
    await db?.close()
    db = undefined
    for (const link of links) await link.close()
    links = []
    await place.drop()
  })

  const hostsOf = (ports: readonly number[]) => {
    const { user, password, database } = links[0]!.connection
    const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',')
    return `postgres://${user}:${encodeURIComponent(String(password))}@${hosts}/${database}?sslmode=disable`
  }
  const setting = async (count: number) => {
    place = await createTestDatabase()
    for (let at = 0; at < count; at += 1) links.push(await openDatabaseLink(place.connection))
  }
  const one = [{ one: 1 }]

  test('passes over one that is not there, for statements, migrations and sessions', async () => {
    await setting(1)
    const address = hostsOf([await freePort(), links[0]!.connection.port!])
    db = openDatabase({ connection: address, log: silentLog })
    expect(await Promise.all([1, 2, 3].map(() => db!.query(sql`select 1 as one`)))).toEqual([one, one, one])
    expect(await db.transaction((tx) => tx.query(sql`select 1 as one`))).toEqual(one)
    expect(await migrateDatabase(address)).toEqual([])
    expect((await knownMigrations()).length).toBeGreaterThan(0)
    const { signal } = new AbortController()
    const asked = await withSession(address, signal, (client) => client.query('select 1 as one'))
    expect(asked.rows).toEqual(one)
  })

  test('that takes no writes is refused when the address asks for one that does', async () => {
    await setting(1)
    db = openDatabase({ connection: place.connection, poolSize: 1, log: silentLog })
    const name = new URL(place.connection).pathname.slice(1)
    await db.query(sql.raw(`alter database ${name} set default_transaction_read_only = on`))
    await db.close()
    const address = hostsOf([links[0]!.connection.port!])
    db = openDatabase({ connection: address, log: silentLog })
    expect(await db.query(sql`select 1 as one`)).toEqual(one)
    await db.close()
    db = openDatabase({ connection: `${address}&target_session_attrs=read-write`, log: silentLog })
    const error = await db.query(sql`select 1`).catch((failure: Error) => failure)
    expect(error).toBeInstanceOf(DatabaseUnavailable)
    expect(String((error as Error).cause)).toContain('takes no writes')
  })

  test('leads to the next when one goes silent, also for statements that it had in hand', async () => {
    await setting(2)
    const ports = links.map(({ connection }) => connection.port!)
    const limits = { connectMs: 1000, listenCheckMs: 50, listenAnswerMs: 1000 }
    db = openDatabase({ connection: hostsOf(ports), poolSize: 2, log: silentLog, limits })
    const ending = new AbortController()
    let connected = 0
    const heard: string[] = []
    db.listen(
      'moved',
      (payload) => heard.push(payload),
      () => {
        connected += 1
      },
      ending.signal,
    )
    await until(() => connected === 1)
    expect(await db.query(sql`select 1 as one`)).toEqual(one)
    expect([links[0]!.open, links[1]!.open]).toEqual([2, 0])
    links[0]!.silence()
    // Who listens notices; the statement would wait for 65 seconds.
    await expect(db.query(sql`select 1`)).rejects.toThrow('cannot be reached')
    await until(() => connected === 2)
    expect(await db.query(sql`select 1 as one`)).toEqual(one)
    await db.query(sql`select pg_notify('moved', 'here')`)
    await until(() => heard.length === 1)
    expect(links[0]!.open).toBe(0)
    ending.abort()
  })
})
