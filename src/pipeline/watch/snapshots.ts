import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { restoreMatcher } from '../../matching/index.ts'
import type { Database, Reader } from '../../store/database.ts'
import { type LogPoint, readChanges } from '../../store/keyword/keyword-changes.ts'
import {
  readWatched,
  readWatchedAfter,
  readWatchedTotals,
  WATCHED_KINDS,
} from '../../store/keyword/watched-keywords.ts'
import type { ChangeGate } from './order.ts'
import { readWhole, removeAbandoned, writeChunks } from './snapshot-file.ts'
import { type Beside, WatchedIndex } from './watched-index.ts'

export interface RestoredSnapshot {
  index: WatchedIndex
  point: LogPoint
}

export interface SnapshotsOptions {
  db: Database
  clock: Clock
  log: Log
  gate: ChangeGate
  path: string
  /** Reading fewer keywords from the database is as fast as from the file. */
  leastKeywords: number
}

const CHANGES_WORTH_WRITING = 1000
/** A snapshot that delays changes for longer is given up and retried later. */
const PATIENCE_MS = 100
/** Keywords of each kind compared in full, which detects a changed folding or hashing. */
const SAMPLE = 500

/** Stored with the engine's bytes, under their checksum. */
interface Label {
  version: number
  point: LogPoint
  beside: Beside
}
const VERSION = 1

/** The message says why. */
class UnusableSnapshot extends Error {}

export class Snapshots {
  private readonly options: SnapshotsOptions
  private written: number | null = null

  constructor(options: SnapshotsOptions) {
    this.options = options
  }

  /** The index of the file, updated and checked; null, with a log line, when in doubt. */
  async restore(): Promise<RestoredSnapshot | null> {
    const { db, clock, log, path } = this.options
    const sinceMs = clock.monotonicMs()
    try {
      await removeAbandoned(path)
      const restored = await restoreFrom(db, path)
      this.written = 0
      const { index, changed } = restored
      const ms = Math.round(clock.monotonicMs() - sinceMs)
      log.info(
        { event: 'keyword.index_restored', keywords: index.totals.count, changed, ms },
        'Keyword index restored from a snapshot',
      )
      return restored
    } catch (error) {
      const reason = error instanceof UnusableSnapshot ? { reason: error.message } : { err: error }
      log.info(
        { event: 'keyword.snapshot_unused', ...reason },
        'The snapshot of the keyword index is not used; all keywords are read',
      )
      return null
    }
  }

  /** `last` writes after any change. `point` is a log position that the index has reached. */
  async save(index: WatchedIndex, point: LogPoint, changes: number, last: boolean): Promise<void> {
    const { clock, log, gate } = this.options
    if (!this.isDue(index, changes, last)) return
    const sinceMs = clock.monotonicMs()
    gate.close()
    try {
      const done = await this.write(index, point, last)
      if (done) this.written = changes
      const about = { keywords: index.totals.count, ms: Math.round(clock.monotonicMs() - sinceMs) }
      if (done) log.debug({ event: 'keyword.snapshot_written', ...about }, 'Snapshot of the keyword index written')
      else
        log.debug(
          { event: 'keyword.snapshot_dropped', ...about },
          'A snapshot of the keyword index was given up, because changes had to wait for it',
        )
    } finally {
      gate.open()
    }
  }

  private isDue(index: WatchedIndex, changes: number, last: boolean): boolean {
    if (index.totals.count < this.options.leastKeywords) return false
    return this.written === null || changes - this.written >= (last ? 1 : CHANGES_WORTH_WRITING)
  }

  private async write(index: WatchedIndex, point: LogPoint, last: boolean): Promise<boolean> {
    const { gate, path } = this.options
    const label: Label = { version: VERSION, point, beside: index.beside() }
    const { chunks } = index.matcher.snapshot(JSON.stringify(label))
    return await writeChunks(path, chunks, () => last || gate.waitingMs() < PATIENCE_MS)
  }
}

async function restoreFrom(db: Database, path: string): Promise<RestoredSnapshot & { changed: number }> {
  const reading = readIndex(path)
  // A failure during the queries is thrown at the await below.
  reading.catch(() => undefined)
  return await db.snapshot(async (tx) => {
    const totals = await readWatchedTotals(tx)
    const { index, point } = await reading
    const { gap, changed, point: reached } = await readChanges(tx, point)
    if (gap) throw new UnusableSnapshot(`the log of changes does not say what changed since: ${gap}`)
    const found = new Map((await readWatched(tx, changed)).map((keyword) => [keyword.id, keyword]))
    for (const id of changed) {
      const keyword = found.get(id)
      if (keyword) index.put(keyword)
      else index.drop(id)
    }
    const { count, idSum } = index.totals
    if (count !== totals.count || idSum !== totals.idSum)
      throw new UnusableSnapshot(`it comes to ${count} keywords, the database has ${totals.count} or others`)
    await compareSample(tx, index)
    return { index, point: reached, changed: changed.length }
  })
}

async function readIndex(path: string): Promise<RestoredSnapshot> {
  const bytes = await readWhole(path)
  if (!bytes) throw new UnusableSnapshot('there is none')
  const { matcher, label, refused } = restoreMatcher(bytes)
  bytes.buffer.resize(0)
  if (refused !== null) throw new UnusableSnapshot(`it is refused: ${refused}`)
  const { version, point, beside } = JSON.parse(label) as Label
  if (version !== VERSION) throw new UnusableSnapshot('it was written by another version')
  return { index: new WatchedIndex(matcher, beside), point }
}

async function compareSample(tx: Reader, index: WatchedIndex): Promise<void> {
  for (const kind of WATCHED_KINDS) {
    const { keywords } = await readWatchedAfter(tx, kind, null, SAMPLE)
    if (keywords.some((keyword) => index.put(keyword)))
      throw new UnusableSnapshot('it knows keywords by other rules than the database')
  }
}
