import { beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../../../test/stand-ins/pipeline.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import type { World } from '../../../test/world.ts'
import { DAY_MS, plus } from '../../kernel/clock.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { sql } from '../database.ts'
import { type LogPoint, pruneKeywordChanges, readChanges, readLogEnd } from './keyword-changes.ts'
import { announceKeywords, KEYWORD_CHANNEL } from './keywords.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')
beforeEach(async () => {
  await world.db.query(sql`delete from keyword_change`)
  await world.db.query(sql`update keyword_log set pruned_through = '0'`)
})

const FUTURE = new Date('2100-01-01T00:00:00.000Z')

const newId = (): Uuid => newUuid(world.clock.now())

async function changed(ids: readonly Uuid[], before: () => Promise<void> = async () => undefined): Promise<void> {
  await world.db.transaction(async (tx) => {
    await announceKeywords(tx, acme.workspaceId, ids)
    await before()
  })
}

/** A change in a transaction that stays open until `commit` is called. */
function held(id: Uuid): { written: Promise<void>; commit(): Promise<void> } {
  let wrote: () => void = () => undefined
  let finish: () => void = () => undefined
  const written = new Promise<void>((resolve) => {
    wrote = resolve
  })
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const committed = changed([id], async () => {
    wrote()
    await finished
  })
  return {
    written,
    commit() {
      finish()
      return committed
    },
  }
}

/**
 * Prunes so many changes. Transactions are counted for the whole server, so an open one of another test is waited for.
 */
async function pruned(before: Date, count: number): Promise<void> {
  let sum = 0
  await eventually(async () => {
    sum += await pruneKeywordChanges(world.db, before)
    expect(sum).toBe(count)
  })
}

/** A point before which every transaction has ended that is as old as the change of this keyword. */
async function pointBehind(id: Uuid): Promise<LogPoint> {
  let point = await readLogEnd(world.db)
  await eventually(async () => {
    point = await readLogEnd(world.db)
    expect(
      await world.db.query(
        sql`select 1 from keyword_change
            where keyword_id = ${id} and xid >= pg_snapshot_xmin(${point.snapshot}::pg_snapshot)`,
      ),
    ).toEqual([])
  })
  return point
}

/** What the log says since a point, in the order of the ids. */
async function since(point: LogPoint): Promise<Uuid[]> {
  const reading = await readChanges(world.db, point)
  expect(reading.gap).toBeNull()
  return reading.changed.sort()
}

describe('the log of keyword changes', () => {
  test('says what changed since a point, each keyword once, and nothing twice', async () => {
    const [first, second] = [newId(), newId()]
    await changed([newId()])
    const before = await readLogEnd(world.db)
    expect(await since(before)).toEqual([])
    await changed([first, second])
    await changed([first])
    const reading = await readChanges(world.db, before)
    expect(reading.changed.sort()).toEqual([first, second])
    expect(await since(reading.point)).toEqual([])
    expect(await since(before)).toEqual([first, second])
  })

  test('does not miss a transaction that began before a point and was committed after others behind it', async () => {
    const [slow, quick, later] = [newId(), newId(), newId()]
    const open = held(slow)
    await open.written
    await changed([quick])
    const point = await readLogEnd(world.db)
    await changed([later])
    const reading = await readChanges(world.db, point)
    expect(reading.changed).toEqual([later])
    await open.commit()
    expect(await since(reading.point)).toEqual([slow])
    expect(await since(point)).toEqual([slow, later].sort())
  })

  test('says nothing of what was rolled back', async () => {
    const point = await readLogEnd(world.db)
    const failed = changed([newId()], () => Promise.reject(new Error('no')))
    await expect(failed).rejects.toThrow('no')
    expect(await since(point)).toEqual([])
  })

  test('says that it does not know for a point of another database, or of a future that is none', async () => {
    const point = await readLogEnd(world.db)
    expect((await readChanges(world.db, { ...point, database: `1${point.database}` })).gap).toBe('another database')
    const ahead = point.snapshot.replace(
      /^(\d+):(\d+):.*$/,
      (_, xmin: string, xmax: string) => `${xmin}:${Number(xmax) + 1_000_000}:`,
    )
    expect(await readChanges(world.db, { ...point, snapshot: ahead })).toMatchObject({
      gap: 'a point in the future',
      changed: [],
    })
  })

  test('knows the server, the database, the table and the installation', async () => {
    const before = await readLogEnd(world.db)
    expect(before.database.split('/')).toHaveLength(5)
    await world.db.query(sql`update keyword_log set id = gen_random_uuid()`)
    expect((await readChanges(world.db, before)).gap).toBe('another database')
    const point = await readLogEnd(world.db)
    // What a dump does when it is loaded: the same rows in a table that is not the same.
    await world.db.transaction(async (tx) => {
      await tx.query(sql`alter table keyword_change rename to old_keyword_change`)
      await tx.query(sql`create table keyword_change (like old_keyword_change including all)`)
      await tx.query(sql`drop table old_keyword_change`)
    })
    expect((await readChanges(world.db, point)).gap).toBe('another database')
  })

  test('passes over transactions that another server wrote into it', async () => {
    const point = await readLogEnd(world.db)
    await world.db.query(
      sql`insert into keyword_change (workspace_id, keyword_id, xid)
          values (${acme.workspaceId}, ${newId()}, '999999999999')`,
    )
    expect(await since(point)).toEqual([])
    await world.db.query(sql`update keyword_log set pruned_through = '999999999999'`)
    expect(await since(point)).toEqual([])
  })

  test('forgets what is old, and knows that it has', async () => {
    const [old, young] = [newId(), newId()]
    const before = await readLogEnd(world.db)
    await changed([old])
    const between = await pointBehind(old)
    await changed([young])
    const now = (await world.db.query<{ now: Date }>(sql`select now() as now`))[0]!.now
    await world.db.query(sql`update keyword_change set changed_at = ${plus(now, -DAY_MS)} where keyword_id = ${old}`)
    expect(await pruneKeywordChanges(world.db, plus(now, -2 * DAY_MS))).toBe(0)
    expect(await since(before)).toEqual([old, young].sort())
    await pruned(plus(now, -DAY_MS / 2), 1)
    expect((await readChanges(world.db, before)).gap).toBe('older than the log')
    expect(await since(between)).toEqual([young])
  })

  test('keeps what came after a transaction that is still open, so that a point read now is good', async () => {
    const [slow, quick] = [newId(), newId()]
    const open = held(slow)
    await open.written
    await changed([quick])
    expect(await pruneKeywordChanges(world.db, FUTURE)).toBe(0)
    const point = await readLogEnd(world.db)
    await open.commit()
    await eventually(async () => expect(await since(point)).toEqual([slow]))
    await pruned(FUTURE, 2)
    expect((await readChanges(world.db, await pointBehind(slow))).gap).toBeNull()
  })

  test('forgets very much in portions, and knows after each how far it has', async () => {
    const before = await readLogEnd(world.db)
    for (let time = 0; time < 3; time += 1)
      await world.db.query(
        sql`insert into keyword_change (workspace_id, keyword_id) select ${acme.workspaceId}, gen_random_uuid()
            from generate_series(1, 4500)`,
      )
    const [last] = await world.db.query<{ id: Uuid }>(
      sql`select keyword_id as id from keyword_change order by xid desc limit 1`,
    )
    await pointBehind(last!.id)
    const left: { left: number; known: boolean }[] = []
    const query = (async (statement) => {
      const result = await world.db.query(statement)
      // What is left stands behind what the log counts as pruned, except for the rest of one transaction.
      left.push(
        ...(await world.db.query<{ left: number; known: boolean }>(sql`
          select (select count(*) from keyword_change) as left, not exists (select from keyword_change
            where xid < pruned_through) as known from keyword_log`)),
      )
      return result
    }) as World['db']['query']
    expect(await pruneKeywordChanges({ ...world.db, query }, FUTURE)).toBe(13_500)
    expect(left).toEqual([
      { left: 3500, known: true },
      { left: 0, known: true },
    ])
    expect((await readChanges(world.db, before)).gap).toBe('older than the log')
    expect(await since(await readLogEnd(world.db))).toEqual([])
  })

  test('gives up when there is more to read than all keywords come to', async () => {
    const point = await readLogEnd(world.db)
    await world.db.query(sql`
      insert into keyword_change (workspace_id, keyword_id) select ${acme.workspaceId}, gen_random_uuid()
        from generate_series(1, 100001)`)
    expect(await readChanges(world.db, point)).toMatchObject({ gap: 'too many changes', changed: [] })
  })
})

describe('an announcement', () => {
  test('is heard in few notifications, each with its workspace and as many keywords as fit', async () => {
    const ids = Array.from({ length: 450 }, newId)
    const ending = new AbortController()
    const heard: string[] = []
    const complete = new Promise<void>((resolve) => {
      const hear = (payload: string) => {
        if (heard.push(payload) === 3) resolve()
      }
      world.db.listen(KEYWORD_CHANNEL, hear, () => void changed(ids), ending.signal)
    })
    await complete
    ending.abort()
    for (const payload of heard) expect(Buffer.byteLength(payload)).toBeLessThan(8000)
    expect(heard.map((payload) => payload.split(' ')[0])).toEqual([
      acme.workspaceId,
      acme.workspaceId,
      acme.workspaceId,
    ])
    expect(heard.flatMap((payload) => payload.split(' ').slice(1)).sort()).toEqual([...ids].sort())
  })

  test('of nothing writes nothing', async () => {
    const point = await readLogEnd(world.db)
    await changed([])
    expect(await since(point)).toEqual([])
  })
})
