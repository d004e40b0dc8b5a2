import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createEmptyDatabase, type TestDatabase } from '../../test/database-server.ts'
import { KEEPS_PREPARED, NO_PGBOUNCER, type Pooler, startPooler } from '../../test/stand-ins/pgbouncer.ts'
import { until } from '../../test/until.ts'
import { silentLog } from '../kernel/log.ts'
import { AnswerNotWanted, type Database, openDatabase, StatementTooLong, sql } from './database.ts'

let place: TestDatabase
let db: Database | undefined
beforeAll(async () => {
  place = await createEmptyDatabase()
  db = openDatabase({ connection: place.connection, poolSize: 1, log: silentLog })
  // The server's own settings differ from those of statements.
  const name = new URL(place.connection).pathname.slice(1)
  await db.query(sql.raw(`alter database ${name} set timezone = 'Asia/Tokyo'`))
  await db.query(sql.raw(`alter database ${name} set statement_timeout = '50s'`))
  await db.query(sql`create table account (id int primary key, balance bigint not null)`)
  await db.close()
  db = undefined
})
afterEach(async () => {
  await db?.close()
  db = undefined
})
afterAll(() => place.drop())

const LIMITS = sql`
  select current_setting('TimeZone') as zone, current_setting('statement_timeout') as most,
    current_setting('max_parallel_workers_per_gather') as workers`
const { signal } = new AbortController()

describe('statements and transactions by way of a pooler that shares sessions', () => {
  const open = (more: Partial<Parameters<typeof openDatabase>[0]> = {}) => {
    // The server itself shows what is left in a session.
    const both = { connection: place.connection, pooler: place.connection }
    return openDatabase({ ...both, poolSize: 1, callerConnections: 1, log: silentLog, ...more })
  }

  test('have their limits in each transaction, and leave nothing behind', async () => {
    db = open()
    const work = { zone: 'UTC', most: '1min' }
    expect(await db.query(LIMITS)).toMatchObject([work])
    expect(await db.transaction((tx) => tx.query(LIMITS))).toMatchObject([work])
    expect(await db.snapshot((reader) => reader.query(LIMITS))).toMatchObject([work])
    expect(await db.readerFor('caller', signal).query(LIMITS)).toEqual([{ zone: 'UTC', most: '5s', workers: '0' }])
    const left = await db.transaction(async (tx) => {
      await tx.query(sql`commit`)
      return tx.query(LIMITS)
    })
    expect(left).toMatchObject([{ zone: 'Asia/Tokyo', most: '50s' }])
  })

  test('end after their time, and fail with their own error', async () => {
    db = open({ limits: { callerMs: 300 } })
    const reader = db.readerFor('caller', signal)
    await expect(reader.query(sql`select pg_sleep(20)`)).rejects.toBeInstanceOf(StatementTooLong)
    await expect(reader.query(sql`select 1 / 0`)).rejects.toThrow('division by zero')
    await expect(db.query(sql`select wrong`)).rejects.toThrow('"wrong" does not exist')
    expect(await reader.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
    expect(db.connections()).toMatchObject({ busy: 0, waiting: 0 })
  })

  test('are prepared only where that is kept', async () => {
    const prepared = sql`select count(*)::int as count from pg_prepared_statements`
    const countOf = async (prepares: boolean) => {
      const opened = open({ prepares })
      await opened.run('named', 'select 1', [])
      await opened.query(sql`select ${1}::int`, { recurs: true })
      const rows = await opened.query(prepared)
      await opened.close()
      return rows
    }
    expect([await countOf(true), await countOf(false)]).toEqual([[{ count: 2 }], [{ count: 0 }]])
  })
})

describe.skipIf(NO_PGBOUNCER)('pgbouncer in transaction mode', () => {
  let pooler: Pooler
  beforeAll(async () => {
    pooler = await startPooler(place.connection)
  })
  afterAll(() => pooler.close())

  test('serves many at once with two sessions, while notifications come past it', async () => {
    db = openDatabase({
      ...{ connection: place.connection, pooler: pooler.connection, prepares: KEEPS_PREPARED },
      ...{ poolSize: 6, callerConnections: 3, log: silentLog },
    })
    const opened = db
    const heard: string[] = []
    let connected = 0
    opened.listen(
      'pooled',
      (payload) => heard.push(payload),
      () => {
        connected += 1
      },
      signal,
    )
    await until(() => connected === 1)
    const numbers = Array.from({ length: 40 }, (_, number) => number)
    await Promise.all(
      numbers.map((number) =>
        opened.transaction(async (tx) => {
          await tx.run('add', 'insert into account values ($1, $2)', [number, number * 2])
          await tx.query(sql`select pg_notify('pooled', ${String(number)})`)
        }),
      ),
    )
    const reader = opened.readerFor('caller', signal)
    const read = (number: number) =>
      reader.query<{ balance: number }>(sql`select balance from account where id = ${number}`, { recurs: true })
    expect((await Promise.all(numbers.map(read))).flat().map(({ balance }) => balance)).toEqual(
      numbers.map((number) => number * 2),
    )
    expect(await opened.snapshot((tx) => tx.query(sql`select count(*)::int as count from account`))).toEqual([
      { count: 40 },
    ])
    await until(() => heard.length === 40)
  })

  test('passes on that a statement is not wanted any more', async () => {
    db = openDatabase({
      ...{ connection: place.connection, pooler: pooler.connection, prepares: KEEPS_PREPARED, log: silentLog },
    })
    const ending = new AbortController()
    const asked = db.readerFor('caller', ending.signal).query(sql`select pg_sleep(60)`)
    const failed = expect(asked).rejects.toBeInstanceOf(AnswerNotWanted)
    const asleep = sql`select 1 from pg_stat_activity where state = 'active' and query like 'select pg_sleep(60)%'`
    while ((await db.query(asleep)).length === 0);
    ending.abort()
    await failed
    while ((await db.query(asleep)).length > 0);
  })
})
