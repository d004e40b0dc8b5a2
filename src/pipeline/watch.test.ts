import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { madeUpPost } from '../../test/makers.ts'
import { eventually, watched } from '../../test/stand-ins/pipeline.ts'
import { createWorld, type TestWorkspace, type World } from '../../test/world.ts'
import { deleteKeyword } from '../commands/keywords/delete-keyword.ts'
import { updateKeyword } from '../commands/keywords/update-keyword.ts'
import { systemClock } from '../kernel/clock.ts'
import type { Uuid } from '../kernel/ids.ts'
import { silentLog } from '../kernel/log.ts'
import { createMetrics } from '../kernel/metrics.ts'
import { sql } from '../store/database.ts'
import { openWatch, type Watch } from './watch.ts'

let world: World
let acme: TestWorkspace
let ending: AbortController

beforeEach(async () => {
  world = await createWorld()
  acme = await world.workspace('Acme')
  ending = new AbortController()
})

afterEach(async () => {
  ending.abort()
  await world.close()
})

async function open(): Promise<Watch> {
  const watch = openWatch({ db: world.db, clock: world.clock, log: silentLog, metrics: createMetrics(), signal: ending.signal })
  await watch.loaded
  return watch
}

function matchedBy(watch: Watch, text: string, platform: 'bluesky' | 'hackernews' = 'bluesky'): Uuid[] {
  return watch.match({ ...madeUpPost(world.clock.now(), text), platform })?.keywords.map(({ keywordId }) => keywordId) ?? []
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
      select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen %'`)
    expect(cut).toHaveLength(1)
  })
}

describe('the watch over keywords', () => {
  it('has every keyword when it says so, muted ones apart', async () => {
    const running = await watched(acme, 'Acme')
    await watched(acme, 'Muted', { muted: true })
    const watch = await open()
    expect(watch.size).toBe(1)
    expect(matchedBy(watch, 'acme is muted')).toEqual([running])
  })

  it('follows a keyword through its life within a second of each change', async () => {
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

  it('reads everything again when notifications may have been lost', async () => {
    const changed = await watched(acme, 'Before')
    const watch = await open()
    // Changes that nobody is told of, as if they had been made while the connection was down.
    await world.db.query(sql`update keyword set term = 'After', term_folded = 'after' where id = ${changed}`)
    await world.db.query(sql`select 1`)
    expect(matchedBy(watch, 'Before')).toEqual([changed])
    await cutNotifications()
    await eventually(() => expect(matchedBy(watch, 'After')).toEqual([changed]))
    expect(matchedBy(watch, 'Before')).toEqual([])
    await world.db.query(sql`delete from keyword where id = ${changed}`)
    await cutNotifications()
    await eventually(() => expect(watch.size).toBe(0))
  })

  it('hears of later changes on the new connection', async () => {
    const watch = await open()
    await cutNotifications()
    const id = await watched(acme, 'Acme')
    await eventually(() => expect(matchedBy(watch, 'Acme')).toEqual([id]))
    await updateKeyword(acme, id, { muted: true })
    await eventually(() => expect(watch.size).toBe(0))
  })

  it('goes on after a reading that failed, and reads a flood of changes in a few readings', async () => {
    let readings = 0
    let fail = false
    const db = {
      ...world.db,
      query: ((statement) => {
        readings += 1
        return fail ? Promise.reject(new Error('no memory')) : world.db.query(statement)
      }) as World['db']['query'],
    }
    const watch = openWatch({ db, clock: world.clock, log: silentLog, metrics: createMetrics(), signal: ending.signal })
    await watch.loaded
    fail = true
    const first = await watched(acme, 'first')
    await eventually(() => expect(readings).toBe(2))
    fail = false
    await eventually(() => expect(matchedBy(watch, 'first')).toEqual([first]), { clock: world.clock, stepMs: 100 })
    readings = 0
    await world.db.transaction(async (tx) => {
      for (let at = 0; at < 300; at += 1)
        await tx.query(sql`select pg_notify('earshot_keyword', ${`${acme.workspaceId} ${first}`.slice(0, -3) + String(at).padStart(3, '0')})`)
    })
    const last = await watched(acme, 'last')
    await eventually(() => expect(matchedBy(watch, 'last')).toEqual([last]))
    expect(readings).toBeLessThan(20)
  })

  it('passes over notifications that are none of ours', async () => {
    const watch = await open()
    await world.db.query(sql`select pg_notify('earshot_keyword', 'nonsense'), pg_notify('earshot_keyword', ''), pg_notify('earshot_keyword', 'a b')`)
    const id = await watched(acme, 'Acme')
    await eventually(() => expect(matchedBy(watch, 'Acme')).toEqual([id]))
  })

  it('leaves a keyword that has reached its limit out for the rest of the month only', async () => {
    const id = await watched(acme, 'Acme')
    await world.db.query(sql`update keyword set paused_for_cap = true where id = ${id}`)
    const watch = await open()
    expect(matchedBy(watch, 'Acme')).toEqual([])
    world.clock.set(new Date('2026-12-01T00:00:00.000Z'))
    expect(matchedBy(watch, 'Acme')).toEqual([id])
  })

  it('ends a wait for keywords that are not coming any more', async () => {
    const db = { ...world.db, query: (() => Promise.reject(new Error('no memory'))) as World['db']['query'] }
    const watch = openWatch({ db, clock: world.clock, log: silentLog, metrics: createMetrics(), signal: ending.signal })
    ending.abort()
    await expect(watch.loaded).rejects.toThrow('stopped before')
  })
})
