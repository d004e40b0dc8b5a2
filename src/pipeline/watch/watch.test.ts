import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { madeUpPost } from '../../../test/makers.ts'
import { createMetrics } from '../../../test/metrics.ts'
import { changeKeyword } from '../../../test/rows.ts'
import { type CollectedLog, collectedLog } from '../../../test/stand-ins/collected-log.ts'
import { eventually, watched } from '../../../test/stand-ins/pipeline.ts'
import { useFreshWorld, useWorkspace } from '../../../test/use-world.ts'
import type { World } from '../../../test/world.ts'
import { deleteKeyword } from '../../commands/keywords/delete-keyword.ts'
import { updateKeyword } from '../../commands/keywords/update-keyword.ts'
import { searchedTextOf } from '../../domain/post/searched-text.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS, systemClock } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { renderMetrics } from '../../kernel/metrics.ts'
import { attachMatcher } from '../../matching/index.ts'
import { type Database, sql, type Transaction } from '../../store/database.ts'
import { ErasedAuthors } from '../../store/erasure/erased-authors.ts'
import { pruneKeywordChanges } from '../../store/keyword/keyword-changes.ts'
import { announceKeywords } from '../../store/keyword/keywords.ts'
import { openWatch, type Watch, type WatchOptions } from './watch.ts'

let ending: AbortController
let log: CollectedLog

const world = useFreshWorld()
const acme = useWorkspace(world, 'Acme')
beforeEach(() => {
  ending = new AbortController()
  log = collectedLog()
})

afterEach(async () => {
  ending.abort()
})

function options(): WatchOptions {
  return {
    db: world.db,
    clock: world.clock,
    log: log.log,
    metrics: createMetrics(),
    erased: new ErasedAuthors(world.services.sealer),
    signal: ending.signal,
    snapshotPath: null,
  }
}

async function open(): Promise<Watch> {
  const watch = openWatch(options())
  await watch.loaded
  return watch
}

function lines(name: string): Record<string, unknown>[] {
  return log.lines.filter(({ event }) => event === name)
}

/**
 * Changes that stand in the log and that no notification tells of, as if they had been made while the connection was
 * down.
 */
async function untold(ids: readonly Uuid[], change: (tx: Transaction) => Promise<void>): Promise<void> {
  await world.db.transaction(async (tx) => {
    await change(tx)
    await tx.query(
      sql`insert into keyword_change (workspace_id, keyword_id) select ${acme.workspaceId}, id
          from unnest(${ids}::uuid[]) as t (id)`,
    )
  })
}

/** A database whose first portion of keywords is held back, as it was read, until `release`. */
function heldPortions(): { db: Database; arrived: Promise<void>; release(): void } {
  let release: () => void = () => undefined
  let arrive: () => void = () => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  let first = true
  const query = async (statement: Parameters<Database['query']>[0]) => {
    const rows = await world.db.query(statement)
    const isPortion = rows.length === 1 && Object.keys(rows[0] as object).join() === 'lines'
    if (isPortion && first) {
      first = false
      arrive()
      await released
    }
    return rows
  }
  return { db: { ...world.db, query: query as Database['query'] }, arrived, release }
}

function matchedBy(watch: Watch, text: string, platform: 'bluesky' | 'hackernews' = 'bluesky'): Uuid[] {
  return (
    watch.match({ ...madeUpPost(world.clock.now(), text), platform })?.keywords.map(({ keywordId }) => keywordId) ?? []
  )
}

/** How long it took, by the machine's own clock, until a check passed. */
async function tookMs(check: () => unknown): Promise<number> {
  const sinceMs = systemClock.monotonicMs()
  await eventually(check)
  return systemClock.monotonicMs() - sinceMs
}

/** Cuts the connection on which notifications arrive. */
async function cutNotifications(): Promise<void> {
  await eventually(async () => {
    const cut = await world.db.query(sql`
      select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
        and query like 'listen %'`)
    expect(cut).toHaveLength(1)
  })
}

describe('the watch over keywords', () => {
  test('has every keyword when it says so, muted ones apart', async () => {
    const running = await watched(acme, 'Acme')
    await watched(acme, 'Muted', { muted: true })
    const watch = await open()
    expect(watch.size).toBe(1)
    expect(matchedBy(watch, 'acme is muted')).toEqual([running])
  })

  test('follows a keyword through its life within a second of each change', async () => {
    const watch = await open()
    const id = await watched(acme, 'Acme')
    expect(await tookMs(() => expect(matchedBy(watch, 'Acme here')).toEqual([id]))).toBeLessThan(1000)
    await updateKeyword(acme, id, { matching: { excludedTerms: ['spam'] } })
    expect(await tookMs(() => expect(matchedBy(watch, 'Acme spam')).toEqual([]))).toBeLessThan(1000)
    expect(matchedBy(watch, 'Acme here')).toEqual([id])
    await updateKeyword(acme, id, { platforms: ['hackernews'] })
    expect(await tookMs(() => expect(matchedBy(watch, 'Acme here')).toEqual([]))).toBeLessThan(1000)
    expect(matchedBy(watch, 'Acme here', 'hackernews')).toEqual([id])
    await updateKeyword(acme, id, { muted: true })
    expect(await tookMs(() => expect(watch.size).toBe(0))).toBeLessThan(1000)
    await updateKeyword(acme, id, { muted: false })
    expect(await tookMs(() => expect(watch.size).toBe(1))).toBeLessThan(1000)
    await deleteKeyword(acme, id)
    expect(await tookMs(() => expect(watch.size).toBe(0))).toBeLessThan(1000)
    expect(matchedBy(watch, 'Acme here', 'hackernews')).toEqual([])
  })

  test('reads what changed, and no more, when notifications may have been lost', async () => {
    const kept = await watched(acme, 'Kept')
    const changed = await watched(acme, 'Before')
    const removed = await watched(acme, 'Removed')
    const watch = await open()
    await untold([changed, removed], async (tx) => {
      await changeKeyword({ db: tx }, changed, { term: 'After' })
      await tx.query(sql`delete from keyword where id = ${removed}`)
    })
    // Stands in no log, so it would be seen only if everything were read.
    await changeKeyword(world, kept, { term: 'Other' })
    expect(matchedBy(watch, 'Before')).toEqual([changed])
    await cutNotifications()
    await eventually(() => expect(matchedBy(watch, 'After')).toEqual([changed]))
    expect(matchedBy(watch, 'Before Removed')).toEqual([])
    expect(matchedBy(watch, 'Kept Other')).toEqual([kept])
    expect(lines('keyword.index_loaded')).toHaveLength(1)
  })

  test('reads everything again when the log does not reach back to what it knows', async () => {
    const changed = await watched(acme, 'Before')
    const removed = await watched(acme, 'Removed')
    const watch = await open()
    await untold([changed, removed], async (tx) => {
      await changeKeyword({ db: tx }, changed, { term: 'After' })
      await tx.query(sql`delete from keyword where id = ${removed}`)
    })
    // An open transaction of another test on the same server is waited for.
    await eventually(async () => {
      await pruneKeywordChanges(world.db, new Date('2100-01-01T00:00:00.000Z'))
      expect(await world.db.query(sql`select 1 from keyword_change`)).toEqual([])
    })
    await cutNotifications()
    await eventually(() => expect(matchedBy(watch, 'After')).toEqual([changed]))
    await eventually(() => expect(watch.size).toBe(1))
    expect(lines('keyword.changes_missing')).toMatchObject([{ reason: 'older than the log' }])
    const later = await watched(acme, 'Later')
    await eventually(() => expect(matchedBy(watch, 'Later')).toEqual([later]))
  })

  test('looks into the log now and then, should a connection have died unnoticed', async () => {
    const changed = await watched(acme, 'Before')
    const watch = await open()
    await untold([changed], async (tx) => void (await changeKeyword({ db: tx }, changed, { term: 'After' })))
    await eventually(() => expect(matchedBy(watch, 'After')).toEqual([changed]), {
      clock: world.clock,
      stepMs: SECOND_MS,
    })
    expect(lines('keyword.index_loaded')).toHaveLength(1)
  })

  test('hears of later changes on the new connection', async () => {
    const watch = await open()
    await cutNotifications()
    const id = await watched(acme, 'Acme')
    await eventually(() => expect(matchedBy(watch, 'Acme')).toEqual([id]))
    await updateKeyword(acme, id, { muted: true })
    await eventually(() => expect(watch.size).toBe(0))
  })

  test('goes on after a reading that failed, and reads a flood of changes in a few readings', async () => {
    let readings = 0
    let fail = false
    const db = {
      ...world.db,
      query: ((statement) => {
        readings += 1
        return fail ? Promise.reject(new Error('no memory')) : world.db.query(statement)
      }) as World['db']['query'],
    }
    const watch = openWatch({ ...options(), db })
    await watch.loaded
    fail = true
    readings = 0
    const first = await watched(acme, 'first')
    await eventually(() => expect(readings).toBeGreaterThan(0))
    fail = false
    await eventually(() => expect(matchedBy(watch, 'first')).toEqual([first]), { clock: world.clock, stepMs: 100 })
    readings = 0
    await world.db.transaction(async (tx) => {
      for (let at = 0; at < 300; at += 1)
        await tx.query(
          sql`select pg_notify('earshot_keyword',
              ${`${acme.workspaceId} ${first}`.slice(0, -3) + String(at).padStart(3, '0')})`,
        )
    })
    const last = await watched(acme, 'last')
    await eventually(() => expect(matchedBy(watch, 'last')).toEqual([last]))
    expect(readings).toBeLessThan(20)
  })

  test('passes over notifications that are none of ours', async () => {
    const watch = await open()
    await world.db.query(
      sql`select pg_notify('earshot_keyword', 'nonsense'), pg_notify('earshot_keyword', ''),
          pg_notify('earshot_keyword', 'a b')`,
    )
    const id = await watched(acme, 'Acme')
    await eventually(() => expect(matchedBy(watch, 'Acme')).toEqual([id]))
  })

  test('leaves a keyword that has reached its limit out for the rest of the month only', async () => {
    const id = await watched(acme, 'Acme')
    await changeKeyword(world, id, { pausedForCap: true })
    const watch = await open()
    expect(matchedBy(watch, 'Acme')).toEqual([])
    world.clock.set(new Date('2026-12-01T00:00:00.000Z'))
    expect(matchedBy(watch, 'Acme')).toEqual([id])
  })

  test('puts a change in place while everything is being read, and leaves it there', async () => {
    const changed = await watched(acme, 'Before')
    const removed = await watched(acme, 'Removed')
    const portions = heldPortions()
    const watch = openWatch({ ...options(), db: portions.db })
    await portions.arrived
    await changeKeyword(world, changed, { term: 'After' })
    await world.db.transaction((tx) => announceKeywords(tx, acme.workspaceId, [changed]))
    await deleteKeyword(acme, removed)
    const added = await watched(acme, 'Added')
    await eventually(() => expect(matchedBy(watch, 'After Added').sort()).toEqual([changed, added].sort()))
    portions.release()
    await watch.loaded
    expect(matchedBy(watch, 'Before Removed')).toEqual([])
    expect(matchedBy(watch, 'After Added').sort()).toEqual([changed, added].sort())
    expect(watch.size).toBe(2)
  })

  test('leaves a keyword out that cannot be looked for, and follows all others', async () => {
    const tooLong = (id: Uuid) => world.db.query(sql`update keyword set term = ${'x'.repeat(5000)} where id = ${id}`)
    const [refused, changed] = [await watched(acme, 'refused'), await watched(acme, 'changed')]
    await tooLong(refused)
    const watch = await open()
    expect(matchedBy(watch, 'refused changed')).toEqual([changed])
    expect(lines('keyword.invalid')).toMatchObject([{ level: 'error', keyword: refused }])
    await tooLong(changed)
    await world.db.transaction((tx) => announceKeywords(tx, acme.workspaceId, [changed]))
    const later = await watched(acme, 'later')
    await eventually(() => expect(matchedBy(watch, 'refused changed later')).toEqual([later]))
    expect(lines('keyword.invalid')[1]).toMatchObject({ level: 'error', keyword: changed })
    expect(watch.size).toBe(1)
  })

  test('is compared with the database some minutes after the start already', async () => {
    const changed = await watched(acme, 'Before')
    const watch = await open()
    await changeKeyword(world, changed, { term: 'After' })
    const sinceMs = world.clock.monotonicMs()
    await eventually(() => expect(matchedBy(watch, 'After')).toEqual([changed]), {
      clock: world.clock,
      stepMs: 10 * SECOND_MS,
    })
    expect(world.clock.monotonicMs() - sinceMs).toBeLessThan(HOUR_MS)
  })

  test('shows what the log has named and is not in place yet as waiting', async () => {
    const metrics = createMetrics()
    let [holding, held] = [false, 0]
    let release: () => void = () => undefined
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    // The first five hundred are on their way, and what else the log has named waits.
    const query = async (statement: Parameters<Database['query']>[0]) => {
      const result = await world.db.query(statement)
      if (holding && result.some((row) => 'lines' in (row as object))) {
        held += 1
        await released
      }
      return result
    }
    const watch = openWatch({ ...options(), db: { ...world.db, query: query as Database['query'] }, metrics })
    await watch.loaded
    holding = true
    await world.db.query(
      sql`insert into keyword_change (workspace_id, keyword_id) select ${acme.workspaceId}, gen_random_uuid()
          from generate_series(1, 700)`,
    )
    await eventually(() => expect(held).toBe(1), { clock: world.clock, stepMs: SECOND_MS })
    expect(await renderMetrics(metrics)).toContain('earshot_queue_length{queue="keyword_changes"} 200')
    release()
    await eventually(async () =>
      expect(await renderMetrics(metrics)).toContain('earshot_queue_length{queue="keyword_changes"} 0'),
    )
  })

  test('mends what differs from the database, and says how much that was', async () => {
    const [changed, removed] = [await watched(acme, 'Before'), await watched(acme, 'Removed')]
    await watched(acme, 'Kept', { matching: { excludedTerms: ['spam'] } })
    const watch = await open()
    await changeKeyword(world, changed, { term: 'After' })
    await world.db.query(sql`delete from keyword where id = ${removed}`)
    // In the log, so it only has not been heard of yet.
    const late = await watched(acme, 'Late')
    await untold([late], async (tx) => void (await changeKeyword({ db: tx }, late, { caseSensitive: true })))
    await eventually(() => expect(watch.size).toBe(4))
    await eventually(() => expect(watch.size).toBe(3), { clock: world.clock, stepMs: HOUR_MS })
    expect(matchedBy(watch, 'Before After Removed')).toEqual([changed])
    await eventually(() => expect(lines('keyword.index_repaired')).toMatchObject([{ level: 'error', mended: 2 }]), {
      clock: world.clock,
      stepMs: MINUTE_MS,
    })
  })

  test('counts changes and how long they took', async () => {
    const metrics = createMetrics()
    const watch = openWatch({ ...options(), metrics })
    await watch.loaded
    const id = await watched(acme, 'Acme')
    await eventually(() => expect(watch.size).toBe(1))
    await deleteKeyword(acme, id)
    await eventually(() => expect(watch.size).toBe(0))
    const text = await renderMetrics(metrics)
    expect(text).toContain('earshot_keyword_changes_total 2')
    expect(text).toContain('earshot_keyword_change_seconds_count 2')
    expect(text).toContain('earshot_keywords_watched 0')
  })

  test('lets other threads match on the same index, and tells what they found', async () => {
    const [mine, theirs] = [await watched(acme, 'Acme'), await watched(await world.workspace('Other'), 'Acme')]
    const watch = await open()
    const reader = attachMatcher(watch.shared)
    const post = madeUpPost(world.clock.now(), 'acme here')
    const described = () => watch.describe(post, reader.matchOwned(searchedTextOf(post)))
    expect(described()).toEqual(watch.match(post))
    expect(
      described()
        ?.keywords.map(({ keywordId }) => keywordId)
        .sort(),
    ).toEqual([mine, theirs].sort())
    await deleteKeyword(acme, mine)
    await eventually(() => expect(described()?.keywords.map(({ keywordId }) => keywordId)).toEqual([theirs]))
  })

  test('ends a wait for keywords that are not coming any more', async () => {
    const db = { ...world.db, query: (() => Promise.reject(new Error('no memory'))) as World['db']['query'] }
    const watch = openWatch({ ...options(), db })
    ending.abort()
    await expect(watch.loaded).rejects.toThrow('stopped before')
  })
})
