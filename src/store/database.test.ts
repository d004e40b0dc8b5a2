import { createServer } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { createEmptyDatabase, type TestDatabase } from '../../test/database-server.ts'
import { sql as adminSql } from '../../test/database-setup.ts'
import { createMetrics } from '../../test/metrics.ts'
import { type DatabaseLink, openDatabaseLink } from '../../test/stand-ins/database-link.ts'
import { until } from '../../test/until.ts'
import { silentLog } from '../kernel/log.ts'
import { renderMetrics } from '../kernel/metrics.ts'
import type { DatabaseLimits } from './connection.ts'
import {
  AnswerNotWanted,
  type Database,
  DatabaseUnavailable,
  openDatabase,
  StatementTooLong,
  sql,
  violatesUnique,
  watchConnections,
} from './database.ts'
import { RECURRING_TEXTS } from './recurring-texts.ts'

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
      sql`select 9007199254740991::bigint as big, date '2026-11-20' as day, timestamptz '2026-11-20T10:30:00+01:00' as
          at, null::bigint as nothing`,
    )
    expect(rows).toEqual([
      { big: 9007199254740991, day: '2026-11-20', at: new Date('2026-11-20T09:30:00.000Z'), nothing: null },
    ])
  })

  test('that are instants come to the millisecond, whatever their form', async () => {
    const texts = [
      '2026-11-20 09:30:00+00',
      '2026-11-20 09:30:00.5+00',
      '1999-12-31 23:59:59.078+00',
      '1969-12-31 23:59:59.999999+00',
      '2024-02-29 00:00:00.000999+00',
      '0050-03-01 00:00:00+00',
      '12026-01-02 03:04:05.06+00',
    ]
    const rows = await db.query<{ at: Date; ms: number }>(
      sql`select at::timestamptz as at, floor(extract(epoch from at::timestamptz) * 1000)::bigint as ms
          from unnest(${texts}::text[]) t (at)`,
    )
    expect(rows.map(({ at }) => at.getTime())).toEqual(rows.map(({ ms }) => ms))
    expect(await db.query(sql`select 'infinity'::timestamptz as at, null::timestamptz as never`)).toEqual([
      { at: Number.POSITIVE_INFINITY, never: null },
    ])
    // The driver's own reading, for a time before the common era.
    const [ancient] = await db.query<{ at: Date }>(sql`select '0044-03-15 12:00:00 BC'::timestamptz as at`)
    expect(ancient!.at.toISOString()).toBe('-000043-03-15T12:00:00.000Z')
  })

  test('that a number cannot hold are an error, not a rounding', async () => {
    await expect(db.query(sql`select 9007199254740993::bigint`)).rejects.toThrow(RangeError)
    expect(await db.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
  })

  test('go in as they are, whatever they hold', async () => {
    const text = `'; drop table account; -- \u{1f98a}`
    expect(await db.query(sql`select ${text}::text as text, ${[text, null]}::text[] as list`)).toEqual([
      { text, list: [text, null] },
    ])
    expect(await db.run('echo', 'select $1::text as text', [text])).toEqual([{ text }])
    expect(await db.run('echo', 'select $1::text as text', ['again'])).toEqual([{ text: 'again' }])
  })

  test('may differ in a statement that recurs, of which many may be planned but not all', async () => {
    const greater = (than: number) =>
      sql<{ number: number }>`select number from generate_series(1, 10) as t (number) where number > ${than}::int`
    for (const than of [2, 9, 4, 0, 7, 8, 5, 10])
      expect(await db.query(greater(than), { recurs: true })).toHaveLength(10 - than)
    const texts = Array.from(
      { length: RECURRING_TEXTS + 5 },
      (_, number) => sql<{ one: number }>`select ${sql.lit(number)} + ${1}::int as one`,
    )
    for (const [number, text] of texts.entries())
      expect(await db.query(text, { recurs: true })).toEqual([{ one: number + 1 }])
    const planned = await db.transaction(async (tx) => {
      for (const text of texts) await tx.query(text, { recurs: true })
      return await tx.query<{ name: string }>(
        sql`select name from pg_prepared_statements where name like 'recurring-%'`,
      )
    })
    expect(planned.length).toBeGreaterThan(RECURRING_TEXTS / 2)
    expect(planned.length).toBeLessThanOrEqual(RECURRING_TEXTS)
  })

  test('are reckoned in UTC', async () => {
    expect(
      await db.query(
        sql`select current_setting('timezone') as zone, extract(hour
            from timestamptz '2026-01-01T00:30:00+01:00')::int as hour`,
      ),
    ).toEqual([{ zone: 'UTC', hour: 23 }])
  })
})

describe('a transaction', () => {
  test('runs what is asked at once in the order in which it is asked', async () => {
    const answers = await db.transaction((tx) =>
      Promise.all([
        tx.query(sql`insert into account values (50, 1)`),
        tx.query(sql`update account set balance = balance * 10 where id = 50`),
        tx.query<{ balance: number }>(sql`select balance from account where id = 50`),
        tx.query(sql`delete from account where id = 50`),
      ]),
    )
    expect(answers[2]).toEqual([{ balance: 10 }])
  })

  test('of which one statement fails, with others asked at once, leaves nothing and says why', async () => {
    const failures: unknown[] = []
    const noting = (asked: Promise<unknown>) =>
      asked.catch((error: unknown) => void failures.push((error as { code?: string }).code))
    const work = db.transaction((tx) => {
      const first = tx.query(sql`insert into account values (60, 1)`)
      const second = tx.query(sql`insert into account values (60, 2)`)
      const third = tx.query(sql`insert into account values (61, 3)`)
      void noting(third)
      return Promise.all([first, second, third])
    })
    await expect(work).rejects.toMatchObject({ code: '23505' })
    expect(failures).toEqual(['23505'])
    expect(await db.query(sql`select id from account where id in (60, 61)`)).toEqual([])
    expect(await db.transaction((tx) => tx.query(sql`select 1 as one`))).toEqual([{ one: 1 }])
  })

  test('of which a statement fails fails for that reason, whoever hears of it first', async () => {
    const deeper = async (work: () => Promise<unknown>): Promise<void> => {
      await work()
    }
    let runs = 0
    const work = db.transaction((tx) => {
      runs += 1
      const failing = sql`do $$ begin raise exception 'again' using errcode = '40P01'; end $$`
      return Promise.all([deeper(() => deeper(() => deeper(() => tx.query(failing)))), tx.query(sql`select 1`)])
    })
    await expect(work).rejects.toThrow('again')
    expect(runs).toBe(3)
  })

  test('runs nothing that is asked of it when it has ended', async () => {
    const late = gate()
    let afterwards: Promise<unknown> = Promise.resolve()
    const work = db.transaction((tx) => {
      afterwards = late.opened.then(() => tx.query(sql`insert into account values (70, 1)`))
      return Promise.reject(new Error('given up'))
    })
    await expect(work).rejects.toThrow('given up')
    late.open()
    await expect(afterwards).rejects.toThrow('had ended')
    expect(await db.query(sql`select id from account where id = 70`)).toEqual([])
  })

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
    const holding = [gate(), gate()]
    const ended = [gate(), gate()]
    let runs = 0
    const move = async (me: 0 | 1, from: number, to: number) => {
      const other = 1 - me
      let tries = 0
      await db.transaction(async (tx) => {
        runs += 1
        tries += 1
        // The other one, whose row is free again, may not have got it yet; taking it away would be a second deadlock.
        if (tries > 1) await ended[other]!.opened
        await tx.query(sql`update account set balance = balance - 1 where id = ${from}`)
        holding[me]!.open()
        await holding[other]!.opened
        await tx.query(sql`update account set balance = balance + 1 where id = ${to}`)
      })
      ended[me]!.open()
    }
    await Promise.all([move(0, 10, 11), move(1, 11, 10)])
    expect(runs).toBe(3)
    expect(await db.query(sql`select balance from account where id in (10, 11)`)).toEqual([
      { balance: 0 },
      { balance: 0 },
    ])
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
    expect([
      runs,
      violatesUnique(error, 'account_pkey'),
      violatesUnique(error, 'other'),
      violatesUnique(new Error('x'), 'account_pkey'),
    ]).toEqual([1, true, false, false])
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
    for (let at = 0; at < 6; at += 1)
      expect(await db.transaction((tx) => tx.query(sql`select 1 as one`))).toEqual([{ one: 1 }])
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
    const listeners = () =>
      adminSql(
        place.connection,
        `select 1 from pg_stat_activity where datname = current_database() and query ~ '^listen'`,
      )
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

describe('the pool', () => {
  test('lets work wait for a connection only so long, and shows who waits', async () => {
    const small = openDatabase({
      connection: place.connection,
      poolSize: 1,
      log: silentLog,
      limits: { connectMs: 1000 },
    })
    const metrics = createMetrics()
    watchConnections(metrics, small)
    const [begun, done] = [gate(), gate()]
    const first = small.transaction(async (tx) => {
      await tx.query(sql`select 1`)
      begun.open()
      await done.opened
    })
    await begun.opened
    const statement = expect(small.query(sql`select 1`)).rejects.toThrow(DatabaseUnavailable)
    const transaction = expect(small.transaction(async () => undefined)).rejects.toThrow(DatabaseUnavailable)
    expect(small.connections()).toEqual({ busy: 1, idle: 0, waiting: 2 })
    expect(await renderMetrics(metrics)).toContain('earshot_database_connections{state="waiting"} 2\n')
    await statement
    await transaction
    expect(small.connections()).toEqual({ busy: 1, idle: 0, waiting: 0 })
    done.open()
    await first
    expect(await small.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
    expect(small.connections()).toEqual({ busy: 0, idle: 1, waiting: 0 })
    await small.close()
  })
})

describe('a reader for somebody who waits', () => {
  const asleep =
    "select 1 from pg_stat_activity where datname = current_database() and state = 'active' and query like 'select pg_sleep(%'"
  const untilSleeping = (count: number) =>
    vi.waitFor(async () => expect(await adminSql(place.connection, asleep)).toHaveLength(count), {
      timeout: 5000,
      interval: 5,
    })
  let small: Database
  const limits = { callerMs: 1000 }
  afterEach(() => small.close())

  test('has a time limit of its own, which others do not have', async () => {
    small = openDatabase({ connection: place.connection, poolSize: 1, callerConnections: 1, log: silentLog, limits })
    const { signal } = new AbortController()
    const slow = sql`select pg_sleep(1.5)`
    await expect(small.readerFor('caller', signal).query(slow)).rejects.toBeInstanceOf(StatementTooLong)
    expect(
      await Promise.all([small.query(slow), small.readerFor('caller', signal).query(sql`select 1 as one`)]),
    ).toMatchObject([{}, [{ one: 1 }]])
    expect(await small.readerFor('long answer', signal).query(slow)).toHaveLength(1)
  })

  test('leaves the other connections to everybody else', async () => {
    small = openDatabase({ connection: place.connection, poolSize: 1, callerConnections: 1, log: silentLog })
    const ending = new AbortController()
    const reader = small.readerFor('caller', ending.signal)
    const flood = Promise.allSettled(Array.from({ length: 5 }, () => reader.query(sql`select pg_sleep(60)`)))
    await untilSleeping(1)
    expect(await small.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
    expect(await small.transaction((tx) => tx.query(sql`select 1 as one`))).toEqual([{ one: 1 }])
    ending.abort()
    expect(
      (await flood).map(
        (promiseSettledResult) =>
          promiseSettledResult.status === 'rejected' && promiseSettledResult.reason instanceof AnswerNotWanted,
      ),
    ).toEqual([true, true, true, true, true])
  })

  test('whose caller has gone has its statement ended at the server, and nobody else loses theirs', async () => {
    small = openDatabase({ connection: place.connection, poolSize: 1, callerConnections: 2, log: silentLog })
    const ending = new AbortController()
    const stays = new AbortController()
    const gone = expect(
      small.readerFor('caller', ending.signal).query(sql`select pg_sleep(60)`),
    ).rejects.toBeInstanceOf(AnswerNotWanted)
    const other = small.readerFor('caller', stays.signal).query(sql`select pg_sleep(2), 'kept' as it`)
    await untilSleeping(2)
    ending.abort()
    await gone
    await untilSleeping(1)
    expect(await other).toMatchObject([{ it: 'kept' }])
    await expect(small.readerFor('caller', ending.signal).query(sql`select 1`)).rejects.toBeInstanceOf(AnswerNotWanted)
  })

  test('that is given up again and again takes nothing from those behind it on the same connections', async () => {
    small = openDatabase({ connection: place.connection, poolSize: 1, callerConnections: 2, log: silentLog })
    const asked = Array.from({ length: 60 }, async (_, number) => {
      const ending = new AbortController()
      const answer = small
        .readerFor('caller', ending.signal)
        .query<{ number: number }>(sql`select ${number}::int as number, pg_sleep(0.002)`)
      if (number % 3 > 0) return expect(await answer).toMatchObject([{ number }])
      setTimeout(() => ending.abort(), number % 7)
      await answer.catch((error: unknown) => expect(error).toBeInstanceOf(AnswerNotWanted))
    })
    await Promise.all(asked)
    expect(small.connections()).toMatchObject({ busy: 0, waiting: 0 })
  })
})

describe('a server that has gone silent', () => {
  /** Long enough to make a connection on a busy machine, short enough to be waited for. */
  const LIMITS: DatabaseLimits = {
    connectMs: 3000,
    statementMs: 1000,
    callerMs: 1000,
    cancelMs: 1000,
    listenCheckMs: 100,
    listenAnswerMs: 1000,
    closeMs: 100,
  }
  let link: DatabaseLink
  let far: Database
  const setting = async (limits: Partial<DatabaseLimits> = {}) => {
    link = await openDatabaseLink(place.connection)
    far = openDatabase({ connection: link.connection, poolSize: 2, log: silentLog, limits: { ...LIMITS, ...limits } })
    expect(await far.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
  }
  afterEach(async () => {
    await far.close()
    await link.close()
  })

  test('is unavailable to a statement, and to the next one no longer', async () => {
    await setting()
    link.silence()
    await expect(far.query(sql`select 1`)).rejects.toThrow(DatabaseUnavailable)
    link.restore()
    expect(await far.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
  })

  test('ends a transaction, whose rollback is not waited for', async () => {
    // A hundred statements that each waited for themselves would be too late for the test.
    await setting()
    const failures: unknown[] = []
    const work = far.transaction(async (tx) => {
      await tx.query(sql`select 1`)
      link.silence()
      for (let at = 0; at < 100; at += 1) await tx.query(sql`select 1`).catch((error: unknown) => failures.push(error))
    })
    await expect(work).rejects.toThrow(DatabaseUnavailable)
    expect(failures).toHaveLength(100)
    for (const failure of failures) expect(failure).toBeInstanceOf(DatabaseUnavailable)
    expect(far.connections()).toEqual({ busy: 0, idle: 0, waiting: 0 })
    link.restore()
    expect(await far.transaction((tx) => tx.query(sql`select 1 as one`))).toEqual([{ one: 1 }])
  })

  test('is unavailable while a connection is being made', async () => {
    await setting({ connectMs: 1500 })
    link.silence()
    await far.query(sql`select 1`).catch(() => undefined)
    const statement = expect(far.query(sql`select 1`)).rejects.toThrow(DatabaseUnavailable)
    await expect(far.transaction(async () => undefined)).rejects.toThrow(DatabaseUnavailable)
    await statement
    expect(far.connections()).toEqual({ busy: 0, idle: 0, waiting: 0 })
  })

  test('is noticed by who listens, although nothing was to be heard', async () => {
    await setting()
    const ending = new AbortController()
    const heard: string[] = []
    let connected = 0
    far.listen(
      'quiet',
      (payload) => heard.push(payload),
      () => {
        connected += 1
      },
      ending.signal,
    )
    await until(() => connected === 1)
    link.silence()
    link.restore()
    await until(() => connected === 2)
    await db.query(sql`select pg_notify('quiet', 'again')`)
    await until(() => heard.length === 1)
    ending.abort()
    expect(heard).toEqual(['again'])
  })

  test('does not keep anybody from closing, nor the process from ending', async () => {
    await setting()
    const listening = new Promise<void>((resolve) =>
      far.listen('quiet', () => undefined, resolve, new AbortController().signal),
    )
    await listening
    expect(link.open).toBe(2)
    link.silence()
    await far.close()
    await until(() => link.open === 0)
    far = openDatabase({ connection: place.connection, log: silentLog })
  })
})
