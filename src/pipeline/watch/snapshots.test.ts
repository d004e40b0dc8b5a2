import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { madeUpPost } from '../../../test/makers.ts'
import { createMetrics } from '../../../test/metrics.ts'
import { changeKeyword, empty } from '../../../test/rows.ts'
import { type CollectedLog, collectedLog } from '../../../test/stand-ins/collected-log.ts'
import { eventually, watched } from '../../../test/stand-ins/pipeline.ts'
import { useFreshWorld, useWorkspace } from '../../../test/use-world.ts'
import { createWorld } from '../../../test/world.ts'
import { deleteKeyword } from '../../commands/keywords/delete-keyword.ts'
import { updateKeyword } from '../../commands/keywords/update-keyword.ts'
import { MINUTE_MS } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { createMatcher } from '../../matching/index.ts'
import { sql } from '../../store/database.ts'
import { ErasedAuthors } from '../../store/erasure/erased-authors.ts'
import { pruneKeywordChanges, readLogEnd } from '../../store/keyword/keyword-changes.ts'
import { announceKeywords } from '../../store/keyword/keywords.ts'
import { ChangeGate } from './order.ts'
import { Snapshots } from './snapshots.ts'
import { openWatch, type Watch } from './watch.ts'
import { WatchedIndex } from './watched-index.ts'

let folder: string
let path: string
let log: CollectedLog
let stop: () => Promise<void>

const world = useFreshWorld()
const acme = useWorkspace(world, 'Acme')
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'earshot-snapshots-'))
  path = join(folder, 'data', 'keywords.index')
  stop = async () => undefined
})

afterEach(async () => {
  await stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Starts a watch like a process that starts; `stop` ends it in order. */
async function start(on = world): Promise<Watch> {
  const ending = new AbortController()
  log = collectedLog()
  const watch = openWatch({
    db: on.db,
    clock: on.clock,
    log: log.log,
    metrics: createMetrics(),
    erased: new ErasedAuthors(on.services.sealer),
    signal: ending.signal,
    snapshotPath: path,
    snapshotFrom: 0,
  })
  stop = async () => {
    ending.abort()
    await watch.ended
  }
  await watch.loaded
  return watch
}

/** Leaves a snapshot behind of what is in the database now. */
async function leaveSnapshot(): Promise<void> {
  await start()
  await stop()
}

function matchedBy(watch: Watch, text: string): Uuid[] {
  return (watch.match(madeUpPost(world.clock.now(), text))?.keywords.map(({ keywordId }) => keywordId) ?? []).sort()
}

/** How the start came to its keywords. */
function way(): { restored: unknown; refused: unknown; read: number } {
  const all = (name: string) => log.lines.filter(({ event }) => event === name)
  return {
    restored: all('keyword.index_restored')[0]?.['changed'] ?? null,
    refused: all('keyword.snapshot_unused')[0]?.['reason'] ?? null,
    read: all('keyword.index_loaded').length,
  }
}

describe('the snapshot of the keywords', () => {
  test('is left behind at the end, and the next start needs no reading of all', async () => {
    const plain = await watched(acme, 'Acme')
    const ruled = await watched(acme, 'Acme', { matching: { excludedTerms: ['spam'] }, groupId: await otherGroup() })
    const capped = await watched(acme, 'Rocket')
    await changeKeyword(world, capped, { pausedForCap: true })
    await leaveSnapshot()
    expect(way()).toEqual({ restored: null, refused: 'there is none', read: 1 })
    const watch = await start()
    expect(way()).toEqual({ restored: 0, refused: null, read: 0 })
    expect(watch.size).toBe(3)
    expect(matchedBy(watch, 'acme rocket')).toEqual([plain, ruled].sort())
    expect(matchedBy(watch, 'acme spam')).toEqual([plain])
    expect(watch.match(madeUpPost(world.clock.now(), 'acme'))?.keywords[0]?.workspaceId).toBe(acme.workspaceId)
    world.clock.set(new Date('2026-12-01T00:00:00.000Z'))
    expect(matchedBy(watch, 'rocket')).toEqual([capped])
  })

  test('is written anew after a verification has mended something', async () => {
    const changed = await watched(acme, 'Before')
    await leaveSnapshot()
    const watch = await start()
    await changeKeyword(world, changed, { term: 'After' })
    await eventually(() => expect(matchedBy(watch, 'After')).toEqual([changed]), {
      clock: world.clock,
      stepMs: MINUTE_MS,
    })
    await stop()
    await start()
    expect(way()).toEqual({ restored: 0, refused: null, read: 0 })
  })

  test('is brought up to date with everything that happened since', async () => {
    const [changed, removed, muted, kept] = [
      await watched(acme, 'a1'),
      await watched(acme, 'b1'),
      await watched(acme, 'c1'),
      await watched(acme, 'd1'),
    ]
    await leaveSnapshot()
    await updateKeyword(acme, changed, { matching: { requiredTerms: ['x'] } })
    await deleteKeyword(acme, removed)
    await updateKeyword(acme, muted, { muted: true })
    const other = await world.workspace('Other')
    const added = await watched(other, 'e1')
    const watch = await start()
    expect(way()).toEqual({ restored: 4, refused: null, read: 0 })
    expect(watch.size).toBe(3)
    expect(matchedBy(watch, 'a1 b1 c1 d1 e1')).toEqual([kept, added].sort())
    expect(matchedBy(watch, 'a1 x')).toEqual([changed])
    expect(watch.match(madeUpPost(world.clock.now(), 'e1'))?.keywords[0]?.workspaceId).toBe(other.workspaceId)
    await updateKeyword(acme, muted, { muted: false })
    await eventually(() => expect(matchedBy(watch, 'c1')).toEqual([muted]))
  })

  test('does not lose a change that was under way when it was written', async () => {
    const id = await watched(acme, 'before')
    let finish: () => void = () => undefined
    const finished = new Promise<void>((resolve) => {
      finish = resolve
    })
    let wrote: () => void = () => undefined
    const written = new Promise<void>((resolve) => {
      wrote = resolve
    })
    const committed = world.db.transaction(async (tx) => {
      await changeKeyword({ db: tx }, id, { term: 'after' })
      await announceKeywords(tx, acme.workspaceId, [id])
      wrote()
      await finished
    })
    await written
    // Later ones are committed before it, and seen.
    await watched(acme, 'quick')
    await leaveSnapshot()
    finish()
    await committed
    const watch = await start()
    expect(way()).toEqual({ restored: 1, refused: null, read: 0 })
    expect(matchedBy(watch, 'after')).toEqual([id])
  })

  test.each([
    ['cut short', (bytes: Buffer) => bytes.subarray(0, bytes.length - 100)],
    ['cut short in its head', (bytes: Buffer) => bytes.subarray(0, 30)],
    ['empty', () => Buffer.alloc(0)],
    ['too long', (bytes: Buffer) => Buffer.concat([bytes, bytes])],
    ['something else', () => Buffer.from('This is no snapshot.')],
    ['changed in one bit of its arrays', (bytes: Buffer) => flipped(bytes, bytes.length - 1000)],
    ['changed in one bit of its head', (bytes: Buffer) => flipped(bytes, 40)],
  ])('is not used when it is %s', async (_, harm) => {
    const id = await watched(acme, 'acme')
    await leaveSnapshot()
    writeFileSync(path, harm(readFileSync(path)))
    const watch = await start()
    expect(way()).toMatchObject({ restored: null, refused: expect.stringContaining('it is refused'), read: 1 })
    expect(matchedBy(watch, 'acme')).toEqual([id])
    // And is replaced by a good one.
    await stop()
    await start()
    expect(way()).toEqual({ restored: 0, refused: null, read: 0 })
  })

  test('is not used by another installation, even with the same keywords', async () => {
    await watched(acme, 'acme')
    await leaveSnapshot()
    const other = await createWorld()
    try {
      await start(other)
      expect(way()).toMatchObject({ restored: null, refused: expect.stringContaining('another database'), read: 1 })
      await stop()
    } finally {
      await other.close()
    }
  })

  test('is not used when the log of changes does not reach back to it', async () => {
    const id = await watched(acme, 'acme')
    await leaveSnapshot()
    await empty(world, 'keyword_change')
    await updateKeyword(acme, id, { matching: { excludedTerms: ['spam'] } })
    // An open transaction of another test on the same server is waited for.
    await eventually(async () =>
      expect(await pruneKeywordChanges(world.db, new Date('2100-01-01T00:00:00.000Z'))).toBe(1),
    )
    const watch = await start()
    expect(way()).toMatchObject({ restored: null, refused: expect.stringContaining('older than the log'), read: 1 })
    expect(matchedBy(watch, 'acme spam')).toEqual([])
  })

  test.each([
    ['lost a keyword', (id: Uuid) => sql`delete from keyword where id = ${id}`, 'comes to 2 keywords'],
    [
      'has another one instead',
      (id: Uuid) => sql`update keyword set id = gen_random_uuid() where id = ${id}`,
      'comes to 2 keywords',
    ],
    [
      'knows other rules',
      (id: Uuid) => sql`update keyword set excluded_terms = '{spam}' where id = ${id}`,
      'other rules',
    ],
    [
      'knows another term',
      (id: Uuid) => sql`update keyword set term = 'other', term_folded = 'other' where id = ${id}`,
      'other rules',
    ],
  ])('is not used when the database %s without saying so', async (_, harm, reason) => {
    const id = await watched(acme, 'acme')
    await watched(acme, 'kept')
    await leaveSnapshot()
    await world.db.query(sql`delete from keyword_counter where keyword_id = ${id}`)
    await world.db.query(sql`delete from keyword_query where keyword_id = ${id}`)
    await world.db.query(harm(id))
    await start()
    expect(way()).toMatchObject({ restored: null, refused: expect.stringContaining(reason), read: 1 })
  })

  test('is not used when it was written in another form', async () => {
    await leaveSnapshot()
    const { chunks } = createMatcher().snapshot(JSON.stringify({ version: 0 }))
    writeFileSync(path, Buffer.concat(chunks))
    await start()
    expect(way()).toMatchObject({ refused: 'it was written by another version', read: 1 })
  })

  test('is written some minutes after all keywords were read, and then only when much has changed', async () => {
    const id = await watched(acme, 'acme')
    await start()
    const written = () => log.lines.filter(({ event }) => event === 'keyword.snapshot_written').length
    await eventually(() => expect(written()).toBe(1), { clock: world.clock, stepMs: MINUTE_MS })
    const { mtimeMs, mode } = statSync(path)
    expect(mode & 0o777).toBe(0o600)
    await updateKeyword(acme, id, { muted: true })
    for (let minute = 0; minute < 30; minute += 1) await world.clock.advance(MINUTE_MS)
    expect(statSync(path).mtimeMs).toBe(mtimeMs)
    expect(written()).toBe(1)
  })

  test('leaves nothing behind of one whose process ended while it wrote', async () => {
    await leaveSnapshot()
    const abandoned = `${path}.4194305.tmp`
    writeFileSync(abandoned, 'half')
    await start()
    expect(existsSync(abandoned)).toBe(false)
  })

  test('is given up when a change has to wait for it', async () => {
    const gate = new ChangeGate(world.clock)
    const snapshots = new Snapshots({
      db: world.db,
      clock: world.clock,
      log: collectedLog().log,
      gate,
      path,
      leastKeywords: 0,
    })
    const point = await readLogEnd(world.db)
    const saving = snapshots.save(new WatchedIndex(), point, 0, false)
    const passing = gate.pass()
    await world.clock.advance(200)
    await saving
    await passing
    expect(existsSync(path)).toBe(false)
    await snapshots.save(new WatchedIndex(), point, 0, false)
    expect(existsSync(path)).toBe(true)
  })
})

function flipped(bytes: Buffer, at: number): Buffer {
  const harmed = Buffer.from(bytes)
  harmed[at] = harmed[at]! ^ 1
  return harmed
}

let groups = 0

/** A group of its own, because a group has each term once. */
async function otherGroup(): Promise<Uuid> {
  groups += 1
  const name = `Group ${groups}`
  await acme.group(name)
  const [row] = await world.db.query<{ id: Uuid }>(
    sql`select id from keyword_group where workspace_id = ${acme.workspaceId} and name = ${name}`,
  )
  return row!.id
}
