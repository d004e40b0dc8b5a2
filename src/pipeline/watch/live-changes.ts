import type { Clock } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import { watchQueue } from '../../kernel/metrics.ts'
import type { Database } from '../../store/database.ts'
import { type LogPoint, MOST_CHANGES, readChanges } from '../../store/keyword/keyword-changes.ts'
import { readWatched } from '../../store/keyword/watched-keywords.ts'
import type { WatchMetrics } from './metrics.ts'
import type { Gate, KeywordOrder } from './order.ts'
import { putOrLeaveOut, type WatchedIndex } from './watched-index.ts'

export interface FollowingOptions {
  db: Database
  clock: Clock
  log: Log
  metrics: WatchMetrics
  order: KeywordOrder
  gate: Gate
  signal: AbortSignal
}

/** Takes changes over as they are heard of, and reads the log of changes so that none is missed. */
export interface KeywordChanges {
  /** A notification: its ids are read at once, and the log after it. */
  hear(payload: string): void
  /** The log has to be read, because notifications may have been lost. */
  look(): void
  /**
   * Resolves when the log has been read from now on and what it names is in the index; false when that cannot come to
   * pass.
   */
  caughtUp(): Promise<boolean>
  /** Begins to put changes in place: the index has come, in the state of `point`, or empty when it is null. */
  start(index: WatchedIndex, point: LogPoint | null): void
  /** Everything is about to be read; changes from `point` on are put in place meanwhile. */
  beginLoad(point: LogPoint): void
  /** Everything has been read; in vain when there was a gap in the log meanwhile. */
  endLoad(): void
  /** Every keyword is in the index as it was at this point or later; null while everything has to be read. */
  readonly point: LogPoint | null
  /** Resolves when everything has to be read, because the log does not say what changed. */
  gap(): Promise<void>
  /** How many keywords were really changed so far. */
  readonly count: number
}

/** How many keywords one statement asks for: what is heard of meanwhile waits for it. */
const BATCH = 500
/** More are not kept: they stand in the log. */
const HEARD_MOST = 10_000
export const RETRY_MS = 1000

export function followChanges({ db, clock, log, metrics, order, gate, signal }: FollowingOptions): KeywordChanges {
  /** Ids that were heard of, and when. They go first. */
  const heard = new Map<Uuid, number>()
  /** What a reading of the log named and is not in the index yet; when it is empty, `point` becomes `coming`. */
  const backlog = new Set<Uuid>()
  let index: WatchedIndex | null = null
  /** Up to here the log has been read, and what it named is in the index; null when everything has to be read first. */
  let point: LogPoint | null = null
  /** Whether what the log did not name is in the index as well. */
  let complete = false
  let coming: LogPoint | null = null
  let lookWanted = false
  let count = 0
  let running = false
  /** Who waits until the log has been read anew, and those of them for whom it is being read. */
  let waiting: ((caughtUp: boolean) => void)[] = []
  let served: ((caughtUp: boolean) => void)[] = []
  let gapFound: () => void = () => undefined

  const readLog = async (since: LogPoint) => {
    lookWanted = false
    const asked = waiting
    waiting = []
    try {
      const reading = await readChanges(db, since)
      if (reading.gap) {
        log.warn(
          { reason: reading.gap },
          'the log of keyword changes does not say what changed; all keywords are read again',
        )
        point = null
        complete = false
        for (const tell of asked) tell(false)
        gapFound()
        return
      }
      for (const id of reading.changed) backlog.add(id)
      coming = reading.point
      served = asked
    } catch (error) {
      waiting.push(...asked)
      lookWanted = true
      throw error
    }
  }
  const nextBatch = (): Map<Uuid, number | null> => {
    const batch = new Map<Uuid, number | null>()
    for (const [id, heardAtMs] of heard) {
      if (batch.size === BATCH) break
      batch.set(id, heardAtMs)
      heard.delete(id)
      backlog.delete(id)
    }
    for (const id of backlog) {
      if (batch.size === BATCH) break
      batch.set(id, null)
      backlog.delete(id)
    }
    return batch
  }
  /**
   * Puts ids back that could not be put in place. Those of the log must come back for sure, those heard of stand in it
   * too.
   */
  const putBack = (batch: ReadonlyMap<Uuid, number | null>) => {
    for (const [id, heardAtMs] of batch) {
      if (heardAtMs === null || coming !== null) backlog.add(id)
      if (heardAtMs !== null && !heard.has(id)) heard.set(id, heardAtMs)
    }
  }
  const refresh = async (into: WatchedIndex, batch: ReadonlyMap<Uuid, number | null>) => {
    try {
      const sent = order.sent()
      const found = new Map((await readWatched(db, [...batch.keys()])).map((keyword) => [keyword.id, keyword]))
      await gate.pass()
      if (signal.aborted) return
      if (order.isOvertaken(sent)) return putBack(batch)
      let changed = 0
      for (const [id, heardAtMs] of batch) {
        const keyword = found.get(id)
        if (keyword ? putOrLeaveOut(into, keyword, log) : into.drop(id)) changed += 1
        order.noteFresh(id)
        if (heardAtMs !== null) metrics.keywordChangeSeconds.observe((clock.monotonicMs() - heardAtMs) / 1000)
      }
      count += changed
      metrics.keywordChanges.inc(changed)
    } catch (error) {
      putBack(batch)
      throw error
    }
  }
  const step = async (into: WatchedIndex) => {
    if (lookWanted && point && coming === null) await readLog(point)
    const batch = nextBatch()
    if (batch.size > 0) await refresh(into, batch)
    if (coming && backlog.size === 0) {
      point = coming
      coming = null
      for (const tell of served.splice(0)) tell(true)
    }
  }
  // One reading at a time, so that none overtakes another.
  const run = async () => {
    if (running || !index) return
    running = true
    while (!signal.aborted && (heard.size > 0 || coming || (lookWanted && point))) {
      try {
        await step(index)
      } catch (error) {
        if (signal.aborted) break
        log.error({ err: error }, 'could not follow the keywords; trying again')
        await clock.wait(RETRY_MS, signal)
      }
    }
    running = false
  }
  signal.addEventListener('abort', () => {
    for (const tell of [...waiting.splice(0), ...served.splice(0)]) tell(false)
    gapFound()
  })
  const backlogAlone = () => [...backlog].reduce((sum, id) => sum + (heard.has(id) ? 0 : 1), 0)
  // Nobody pauses at this limit: what is heard beyond stands in the log, and past the log's part everything is read
  // anew.
  watchQueue(metrics, 'keyword_changes', HEARD_MOST + MOST_CHANGES, () => heard.size + backlogAlone())
  return {
    hear(payload) {
      for (const id of idsIn(payload)) if (heard.size < HEARD_MOST && !heard.has(id)) heard.set(id, clock.monotonicMs())
      lookWanted = true
      void run()
    },
    look() {
      lookWanted = true
      void run()
    },
    caughtUp() {
      if (signal.aborted || point === null) return Promise.resolve(false)
      return new Promise((resolve) => {
        waiting.push(resolve)
        lookWanted = true
        void run()
      })
    },
    start(loaded, at) {
      index = loaded
      point = at
      complete = at !== null
      void run()
    },
    beginLoad(at) {
      point = at
      lookWanted = true
      void run()
    },
    endLoad() {
      complete = point !== null
    },
    get point() {
      return complete ? point : null
    },
    gap: () =>
      new Promise((resolve) => {
        if (!complete || signal.aborted) resolve()
        else gapFound = resolve
      }),
    get count() {
      return count
    },
  }
}

/** A workspace and keywords of it. */
const NOTIFICATION = /^[0-9a-f-]{36}(?: [0-9a-f-]{36})+$/

function idsIn(payload: string): Uuid[] {
  return NOTIFICATION.test(payload) ? (payload.split(' ').slice(1) as Uuid[]) : []
}
