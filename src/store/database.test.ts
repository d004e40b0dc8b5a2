import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEmptyDatabase, type TestDatabase } from '../../test/database-server.ts'
import { sql as adminSql } from '../../test/database-setup.ts'
import { silentLog } from '../kernel/log.ts'
import { type Database, DatabaseUnavailable, openDatabase, sql, violatesUnique } from './database.ts'

let place: TestDatabase
let db: Database
beforeAll(async () => {
  place = await createEmptyDatabase()
  db = openDatabase({ connection: place.connection, poolSize: 4, log: silentLog })
  await db.query(sql`create table account (id int primary key, balance bigint not null, day date, at timestamptz)`)
})
afterAll(async () => {
  await db.close()
  await place.drop()
})

/** Ends every connection of the database whose last statement matches. */
function terminate(statement: string) {
  return adminSql(
    place.connection,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and query ~* '${statement}'`,
  )
}

/** A promise and its key. */
function gate(): { opened: Promise<void>; open(): void } {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

describe('values', () => {
  test('come as numbers, days as text and instants as dates', async () => {
    const rows = await db.query(
      sql`select 9007199254740991::bigint as big, date '2026-11-20' as day, timestamptz '2026-11-20T10:30:00+01:00' as at, null::bigint as nothing`,
    )
    expect(rows).toEqual([{ big: 9007199254740991, day: '2026-11-20', at: new Date('2026-11-20T09:30:00.000Z'), nothing: null }])
  })

  test('that a number cannot hold are an error, not a rounding', async () => {
    await expect(db.query(sql`select 9007199254740993::bigint`)).rejects.toThrow(RangeError)
    expect(await db.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
  })

  test('go in as they are, whatever they hold', async () => {
    const text = `'; drop table account; -- \u{1f98a}`
    expect(await db.query(sql`select ${text}::text as text, ${[text, null]}::text[] as list`)).toEqual([{ text, list: [text, null] }])
    expect(await db.run('echo', 'select $1::text as text', [text])).toEqual([{ text }])
    expect(await db.run('echo', 'select $1::text as text', ['again'])).toEqual([{ text: 'again' }])
  })

  test('are reckoned in UTC', async () => {
    expect(await db.query(sql`select current_setting('timezone') as zone, extract(hour from timestamptz '2026-01-01T00:30:00+01:00')::int as hour`)).toEqual([
      { zone: 'UTC', hour: 23 },
    ])
  })
})

describe('a transaction', () => {
  test('is there as a whole or not at all', async () => {
    await db.transaction((tx) => tx.query(sql`insert into account values (1, 0)`))
    await expect(
      db.transaction(async (tx) => {
        await tx.query(sql`insert into account values (2, 0)`)
        throw new Error('changed my mind')
      }),
    ).rejects.toThrow('changed my mind')
    expect(await db.query(sql`select id from account where id in (1, 2)`)).toEqual([{ id: 1 }])
  })

  test('that passes over a failed statement does not look committed', async () => {
    const work = db.transaction(async (tx) => {
      await tx.query(sql`insert into account values (3, 0)`)
      await tx.query(sql`insert into account values (3, 0)`).catch(() => undefined)
      return 'done'
    })
    await expect(work).rejects.toThrow('rolled back')
    expect(await db.query(sql`select id from account where id = 3`)).toEqual([])
  })

  test('is tried again after a deadlock, and both come to their end', async () => {
    await db.query(sql`insert into account values (10, 0), (11, 0)`)
    const [first, second] = [gate(), gate()]
    let runs = 0
    const move = (from: number, to: number, mine: ReturnType<typeof gate>, other: ReturnType<typeof gate>) =>
      db.transaction(async (tx) => {
        runs += 1
        await tx.query(sql`update account set balance = balance - 1 where id = ${from}`)
        mine.open()
        await other.opened
        await tx.query(sql`update account set balance = balance + 1 where id = ${to}`)
      })
    await Promise.all([move(10, 11, first, second), move(11, 10, second, first)])
    expect(runs).toBe(3)
    expect(await db.query(sql`select balance from account where id in (10, 11)`)).toEqual([{ balance: 0 }, { balance: 0 }])
  })

  test('is tried three times at most', async () => {
    let runs = 0
    const work = db.transaction(async (tx) => {
      runs += 1
      await tx.query(sql`do $$ begin raise exception 'again' using errcode = '40001'; end $$`)
    })
    await expect(work).rejects.toThrow('again')
    expect(runs).toBe(3)
  })

  test('is not tried again when a statement is wrong, and says which constraint it broke', async () => {
    let runs = 0
    const work = db.transaction(async (tx) => {
      runs += 1
      await tx.query(sql`insert into account values (1, 0)`)
    })
    const error = await work.then(
      () => null,
      (reason: unknown) => reason,
    )
    expect([runs, violatesUnique(error, 'account_pkey'), violatesUnique(error, 'other'), violatesUnique(new Error('x'), 'account_pkey')]).toEqual([
      1,
      true,
      false,
      false,
    ])
  })

  test('whose connection is cut while it holds it fails without harm to the process or the pool', async () => {
    const cut = db.transaction(async (tx) => {
      await tx.query(sql`select 'cut me' as text`)
      await terminate('cut me')
      // The server's word of it arrives while no statement runs.
      await new Promise((resolve) => setTimeout(resolve, 100))
      await tx.query(sql`select 1`)
    })
    await expect(cut).rejects.toThrow(DatabaseUnavailable)
    for (let at = 0; at < 6; at += 1) expect(await db.transaction((tx) => tx.query(sql`select 1 as one`))).toEqual([{ one: 1 }])
  })
})

describe('notifications', () => {
  test('are heard, also after the connection was cut, with word of the gap', async () => {
    const ending = new AbortController()
    const heard: string[] = []
    let connected = 0
    let wake: () => void = () => undefined
    const until = async (holds: () => boolean) => {
      while (!holds())
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
    const told = (payload: string) => {
      heard.push(payload)
      wake()
    }
    const reconnected = () => {
      connected += 1
      wake()
    }
    db.listen('Odd "name"', told, reconnected, ending.signal)
    await until(() => connected === 1)
    await db.query(sql`select pg_notify('Odd "name"', 'one')`)
    await until(() => heard.length === 1)
    await terminate('^listen')
    await until(() => connected === 2)
    await db.transaction((tx) => tx.query(sql`select pg_notify('Odd "name"', 'two')`))
    await db
      .transaction(async (tx) => {
        await tx.query(sql`select pg_notify('Odd "name"', 'never')`)
        throw new Error('rolled back')
      })
      .catch(() => undefined)
    await db.query(sql`select pg_notify('Odd "name"', 'three')`)
    await until(() => heard.length === 3)
    expect(heard).toEqual(['one', 'two', 'three'])
    ending.abort()
    const listeners = () => adminSql(place.connection, `select 1 from pg_stat_activity where datname = current_database() and query ~ '^listen'`)
    while ((await listeners()).length > 0);
    expect(connected).toBe(2)
  })
})

describe('a server that cannot be reached', () => {
  test('is unavailable to every kind of work, not a defect', async () => {
    // A port that was just given up: nobody listens there.
    const port = await new Promise<number>((resolve) => {
      const server = createServer().listen(0, '127.0.0.1', () => {
        const address = server.address()
        server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
      })
    })
    const gone = openDatabase({ connection: `postgres://nobody@127.0.0.1:${port}/nothing`, log: silentLog })
    await expect(gone.query(sql`select 1`)).rejects.toThrow(DatabaseUnavailable)
    await expect(gone.run('one', 'select 1', [])).rejects.toThrow(DatabaseUnavailable)
    await expect(gone.transaction((tx) => tx.query(sql`select 1`))).rejects.toThrow(DatabaseUnavailable)
    await gone.close()
  })

  test('in the middle of a statement is unavailable too, and answers again afterwards', async () => {
    const asked = db.query(sql`select pg_sleep(30), 'sleeping'`)
    const failed = expect(asked).rejects.toThrow(DatabaseUnavailable)
    while ((await terminate('sleeping')).length === 0);
    await failed
    expect(await db.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
  })
})
