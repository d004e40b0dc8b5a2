import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase } from '../../test/database-server.ts'
import { type CollectedLog, collectedLog } from '../../test/stand-ins/collected-log.ts'
import { type PrimaryAndStandby, startPrimaryAndStandby } from '../../test/stand-ins/primary-and-standby.ts'
import { silentLog } from '../kernel/log.ts'
import {
  AnswerNotWanted,
  type Database,
  type DatabaseOptions,
  openDatabase,
  StatementTooLong,
  sql,
} from './database.ts'
import { readStandbyState } from './standby.ts'

let servers: PrimaryAndStandby
let db: Database | undefined
let logged: CollectedLog
beforeAll(async () => {
  servers = await startPrimaryAndStandby()
  await servers.onPrimary('create table note (id int)')
}, 120_000)
afterEach(async () => {
  await db?.close()
  db = undefined
})
afterAll(() => servers.close())

function open(more: Partial<DatabaseOptions> = {}): Database {
  logged = collectedLog()
  db = openDatabase({ connection: servers.primary, standby: servers.standby, poolSize: 3, log: logged.log, ...more })
  return db
}

const { signal } = new AbortController()
const WHERE = sql<{ onStandby: boolean }>`select pg_is_in_recovery() as "onStandby"`
const [THERE, HERE] = [[{ onStandby: true }], [{ onStandby: false }]]
const NOTES = sql<{ notes: number; onStandby: boolean }>`
  select count(*)::int as notes, pg_is_in_recovery() as "onStandby" from note`
const reads = () => Object.fromEntries(db!.takeStandbyReads())
const events = () => logged.lines.map(({ event }) => event).filter((event) => String(event).includes('standby'))

describe('reads of callers', () => {
  test('go to the standby, others to the primary, and each has a time limit of its own', async () => {
    const opened = open({ limits: { callerMs: 300 } })
    expect(await opened.readerFor('caller', signal).query(WHERE)).toEqual(THERE)
    expect(await opened.readerFor('long answer', signal).query(WHERE)).toEqual(THERE)
    expect(await opened.readerFor('caller', signal).query(WHERE, { atPrimary: true })).toEqual(HERE)
    expect(await opened.readerFor('caller', signal, { atPrimary: true }).query(WHERE)).toEqual(HERE)
    expect(await opened.query(WHERE)).toEqual(HERE)
    expect(await opened.snapshot((reader) => reader.query(WHERE))).toEqual(HERE)
    expect(await opened.transaction((tx) => tx.query(WHERE))).toEqual(HERE)
    const slow = sql`select pg_sleep(0.6)`
    await expect(opened.readerFor('caller', signal).query(slow)).rejects.toBeInstanceOf(StatementTooLong)
    expect(await opened.readerFor('long answer', signal).query(slow)).toHaveLength(1)
    expect(reads()).toEqual({ answered: 3 })
    expect(reads()).toEqual({})
  })

  test('see everything that anybody committed before, although the standby answers', async () => {
    await servers.onPrimary('truncate note')
    const opened = open()
    const other = openDatabase({ connection: servers.primary, poolSize: 1, log: silentLog })
    const reader = opened.readerFor('caller', signal)
    for (let notes = 1; notes <= 30; notes += 1) {
      await other.transaction((tx) => tx.query(sql`insert into note values (${notes})`))
      const together = await Promise.all([reader.query(NOTES), reader.query(NOTES)])
      expect(together.flat().map((row) => row.notes)).toEqual([notes, notes])
    }
    await other.close()
    expect(reads().answered).toBeGreaterThan(30)
  })

  test('go to the primary while the standby has not replayed what they must see', async () => {
    await servers.onPrimary('truncate note')
    const opened = open()
    const reader = opened.readerFor('caller', signal)
    expect(await reader.query(NOTES)).toEqual([{ notes: 0, onStandby: true }])
    await servers.onStandby('select pg_wal_replay_pause()')
    await opened.transaction((tx) => tx.query(sql`insert into note values (1)`))
    const first = await Promise.all([reader.query(NOTES), reader.query(NOTES)])
    // Now nobody waits for the standby.
    const later = await reader.query(NOTES)
    expect([...first.flat(), ...later]).toEqual([1, 2, 3].map(() => ({ notes: 1, onStandby: false })))
    const exported = await opened.snapshot((tx) => tx.query(NOTES), 'long answer')
    expect(exported).toEqual([{ notes: 1, onStandby: false }])
    expect(events()).toEqual(['database.standby_left'])
    expect(reads()).toEqual({ answered: 1, behind: 2 })
    await servers.onStandby('select pg_wal_replay_resume()')
    await expect.poll(() => reader.query(NOTES), { timeout: 5000 }).toEqual([{ notes: 1, onStandby: true }])
    expect(events()).toEqual(['database.standby_left', 'database.standby_used'])
  })

  test('that replay cancels are answered by the primary', async () => {
    await servers.onPrimary('truncate note; insert into note values (1)')
    const reader = open().readerFor('long answer', signal)
    expect(await reader.query(NOTES)).toMatchObject([{ onStandby: true }])
    const asked = reader.query(sql`select count(*)::int as notes, pg_is_in_recovery() as "onStandby" from note,
      pg_sleep(case when pg_is_in_recovery() then 30 else 0 end)`)
    const asleep = `select 1 from pg_stat_activity where state = 'active' and query like '%pg_sleep(case%' and pid <> pg_backend_pid()`
    while ((await servers.onStandby(asleep)).length === 0);
    await servers.onPrimary('truncate note')
    expect(await asked).toEqual([{ notes: 0, onStandby: false }])
    expect(reads()).toEqual({ answered: 1, conflict: 1 })
  })

  test('end at the standby when their caller is gone', async () => {
    const opened = open()
    expect(await opened.readerFor('caller', signal).query(WHERE)).toEqual(THERE)
    const ending = new AbortController()
    const failed = expect(
      opened.readerFor('caller', ending.signal).query(sql`select pg_sleep(61)`),
    ).rejects.toBeInstanceOf(AnswerNotWanted)
    const asleep = "select 1 from pg_stat_activity where state = 'active' and query = 'select pg_sleep(61)'"
    while ((await servers.onStandby(asleep)).length === 0);
    ending.abort()
    await failed
    while ((await servers.onStandby(asleep)).length > 0);
    expect(reads()).toEqual({ answered: 1 })
  })

  test('of one state stay on one server', async () => {
    await servers.onPrimary('truncate note')
    const opened = open()
    const seen = await opened.snapshot(async (reader) => {
      const before = await reader.query(NOTES)
      await opened.transaction((tx) => tx.query(sql`insert into note values (1)`))
      return [...before, ...(await reader.query(NOTES))]
    }, 'long answer')
    expect(seen).toEqual([1, 2].map(() => ({ notes: 0, onStandby: true })))
    expect(await opened.snapshot((reader) => reader.query(NOTES), 'long answer')).toEqual([
      { notes: 1, onStandby: true },
    ])
  })

  test('never go to a server that stands by for another database, or for none', async () => {
    const place = await createTestDatabase()
    for (const standby of [place.connection, servers.primary]) {
      const opened = open({ standby })
      expect(await opened.readerFor('caller', signal).query(NOTES)).toMatchObject([{ onStandby: false }])
      expect(reads()).toEqual({ behind: 1 })
      await opened.close()
      db = undefined
    }
    await place.drop()
  })

  test.each(['nothing answers', 'there is no such database'])(
    'go to the primary when %s at the standby',
    async (what) => {
      const closed = 'postgres://nobody@127.0.0.1:9/none'
      const opened = open({
        standby: what === 'nothing answers' ? closed : servers.standby.replace('/postgres?', '/none?'),
      })
      expect(await opened.readerFor('caller', signal).query(WHERE)).toEqual(HERE)
      expect(await opened.readerFor('caller', signal).query(WHERE)).toEqual(HERE)
      expect(await opened.snapshot((reader) => reader.query(WHERE), 'long answer')).toEqual(HERE)
      expect(reads()).toEqual({ unavailable: 1 })
      expect(events()).toEqual(['database.standby_left'])
    },
  )
})

test('the state of a standby is told', async () => {
  const opened = open()
  const standby = openDatabase({ connection: servers.standby, poolSize: 1, log: silentLog })
  await servers.onPrimary('select pg_sleep(0)')
  const state = await readStandbyState(opened, standby)
  expect(state).toMatchObject({ recovers: true, fits: true, feedback: true })
  expect(state.behindBytes).toBeLessThan(1_000_000)
  expect(await readStandbyState(opened, opened)).toMatchObject({ recovers: false })
  await standby.close()
})

// The last: the pair is not the same afterwards.
test('a failover is followed by the address with both hosts, and what was confirmed is there', async () => {
  await servers.onPrimary('truncate note')
  const opened = open({ connection: servers.both, standby: null })
  let [confirmed, failed, wanted] = [0, 0, Number.POSITIVE_INFINITY]
  const writing = (async () => {
    for (let id = 1; confirmed < wanted; id += 1)
      await opened
        .transaction((tx) => tx.query(sql`insert into note values (${id})`))
        .then(
          () => (confirmed += 1),
          () => (failed += 1),
        )
  })()
  await expect.poll(() => confirmed, { timeout: 5000 }).toBeGreaterThan(20)
  await servers.failOver()
  wanted = confirmed + 20
  await writing
  const [row] = await opened.query<{ notes: number }>(sql`select count(distinct id)::int as notes from note`)
  expect(row!.notes).toBeGreaterThanOrEqual(confirmed)
  expect(failed).toBeGreaterThan(0)
  expect(await servers.onStandby('select pg_is_in_recovery() as recovers')).toEqual([{ recovers: false }])
})
