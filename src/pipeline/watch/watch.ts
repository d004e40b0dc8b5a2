import { setMaxListeners } from 'node:events'
import type { MatchedPost, Wanting } from '../../domain/mention/matched-post.ts'
import type { Post } from '../../domain/post/post.ts'
import { type Clock, HOUR_MS, MINUTE_MS } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { onRead } from '../../kernel/metrics.ts'
import { underAny } from '../../kernel/under-any.ts'
import type { Drop, OwnedMatches, SharedMatcher, Verdict } from '../../matching/index.ts'
import type { Database } from '../../store/database.ts'
import { readLogEnd } from '../../store/keyword/keyword-changes.ts'
import { KEYWORD_CHANNEL } from '../../store/keyword/keywords.ts'
import { followFilters } from './filters.ts'
import { followChanges, RETRY_MS } from './live-changes.ts'
import type { WatchMetrics } from './metrics.ts'
import { createGate, createOrder } from './order.ts'
import { LEFT_OUT_MS } from './rejection-sample.ts'
import { collectRejections } from './rejections.ts'
import { createSnapshots } from './snapshots.ts'
import { loadAll, type SweepOptions, verifyAll } from './sweep.ts'
import { createWatchedIndex, type DropListener, isReason, type WatchedIndex } from './watched-index.ts'
import { countWords } from './word-flow.ts'

/** Every keyword of the installation, ready to be matched and kept current while it is open. */
export interface Watch {
  /** The keywords whose rules admit the post, with what storing it needs; null when there are none. */
  match(post: Post): MatchedPost | null
  /**
   * What other threads attach to, to match on the same index; to be asked for when the keywords are loaded. Always the
   * same.
   */
  readonly shared: SharedMatcher
  /** The same as `match` for what another thread found with `searchedTextOf(post)` in the shared index. */
  describe(post: Post, found: OwnedMatches): MatchedPost | null
  /** What the filters of their workspaces leave of the keywords that want a post for another reason than their term. */
  admitted(matched: MatchedPost | null): MatchedPost | null
  /** Rules of a keyword drop a post that it would want for another reason than its term. */
  noteRejected(post: Post, keyword: Wanting, verdict: Verdict): void
  /** Another thread found that rules of these keywords drop a post that holds their terms. */
  noteDrops(post: Post, drops: readonly Drop[]): void
  /** So many posts of a feed that is read whole were read, and these are texts of some of them. */
  noteRead(read: number, texts: readonly string[]): void
  /** Resolves when every change of a keyword that was committed before the call is in the index. */
  caughtUp(): Promise<void>
  /** How many keywords are being looked for. */
  readonly size: number
  /** Resolves when every keyword that the database had at the start is loaded. */
  readonly loaded: Promise<void>
  /** Resolves after the signal, when nothing is read or written any more; the last snapshot is in its place then. */
  readonly ended: Promise<void>
}

export interface WatchOptions {
  db: Database
  clock: Clock
  log: Log
  metrics: WatchMetrics
  signal: AbortSignal
  /** The file in which the index waits for the next start; null when there shall be none. */
  snapshotPath: string | null
  /** The fewest keywords that a snapshot is written of; 10,000 unless told otherwise. */
  snapshotFrom?: number
}

/**
 * The log of changes is read this often although nothing was heard: a connection can be dead without anybody being
 * told.
 */
const LOOK_EVERY_MS = 10_000
const SNAPSHOT_EVERY_MS = 5 * MINUTE_MS
/** What a start has found is not trusted for hours. After the first snapshot, which would be given up for it. */
const VERIFY_FIRST_MS = 8 * MINUTE_MS
const VERIFY_EVERY_MS = 6 * HOUR_MS

// Longer than a screen, because every step below works on the one index and the one log point of the process.
const SNAPSHOT_FROM = 10_000

/**
 * Brings every keyword into the index, from a snapshot and what changed since or from the database, and follows their
 * changes until `signal` is aborted. Nothing that was committed is missed, whatever becomes of connections and
 * notifications: docs/decisions/0009-keyword-changes-and-snapshot.md.
 */
export function openWatch({
  db,
  clock,
  log,
  metrics,
  signal,
  snapshotPath,
  snapshotFrom = SNAPSHOT_FROM,
}: WatchOptions): Watch {
  // More loops wait for its end than Node.js takes for a slip.
  setMaxListeners(0, signal)
  const order = createOrder()
  const gate = createGate(clock)
  const changes = followChanges({ db, clock, log, metrics, order, gate, signal })
  const snapshots =
    snapshotPath === null
      ? null
      : createSnapshots({ db, clock, log, gate, path: snapshotPath, leastKeywords: snapshotFrom })
  const filters = followFilters({ db, clock, log, signal })
  const rejections = collectRejections({ db, clock, log, signal })
  const words = countWords({ db, clock, log, signal })
  const loaded = withResolvers()
  const listening = withResolvers()
  let index: WatchedIndex = createWatchedIndex()

  db.listen(
    KEYWORD_CHANNEL,
    changes.hear,
    () => {
      listening.resolve()
      changes.look()
    },
    signal,
  )
  onRead(metrics, () => {
    metrics.keywordsWatched.set(index.totals.count)
    metrics.indexBytes.set(index.matcher.stats().bytes)
  })

  /** How many keywords sweeps have put in place, which the snapshot lacks like those that changes did. */
  let swept = 0
  const onChanged = (count: number) => {
    swept += count
  }
  const sweeping = (): SweepOptions => ({ db, clock, log, index, order, gate, signal, onChanged })
  const load = async () => {
    const sinceMs = clock.monotonicMs()
    // Noted before the first keyword is read: what changes from then on is found in the log.
    changes.beginLoad(await readLogEnd(db))
    await loadAll(sweeping())
    if (signal.aborted) return
    changes.endLoad()
    log.info({ keywords: index.totals.count, ms: Math.round(clock.monotonicMs() - sinceMs) }, 'read all keywords')
  }
  const verify = async () => {
    const mended = await verifyAll(sweeping(), changes.caughtUp)
    if (mended > 0) log.error({ mended }, 'keywords in the index differed from the database and were mended')
  }
  const save = async (last: boolean) => {
    if (changes.point) await snapshots?.save(index, changes.point, changes.count + swept, last)
  }
  /** Does something until it succeeds or everything ends. */
  const insist = async (work: () => Promise<void>, failure: string) => {
    while (!signal.aborted) {
      try {
        return await work()
      } catch (error) {
        if (signal.aborted) return
        log.error({ err: error }, failure)
        await clock.wait(RETRY_MS, signal)
      }
    }
  }
  const every = async (milliseconds: number, work: () => Promise<void>, failure: string) => {
    await loaded.promise.catch(() => undefined)
    while (!signal.aborted) {
      await clock.wait(milliseconds, signal)
      if (!signal.aborted) await work().catch((error: unknown) => log.warn({ err: error }, failure))
    }
  }
  /**
   * Reads everything. A gap that is there again right afterwards is given some time, or the readings would never end.
   */
  const loadWhole = async () => {
    await insist(load, 'could not read all keywords; trying again')
    if (!(await changes.caughtUp())) await clock.wait(RETRY_MS, signal)
  }
  const begin = async () => {
    await filters.loaded
    const restored = (await snapshots?.restore()) ?? null
    index = restored?.index ?? index
    changes.start(index, restored?.point ?? null)
    while (!signal.aborted) {
      if (changes.point === null) await loadWhole()
      await listening.promise
      // What was committed before the notifications began is in the log.
      if (await changes.caughtUp()) return loaded.resolve()
    }
  }
  // Loading and verifying are sweeps, of which there is one at a time.
  const keepWhole = async () => {
    await begin()
    for (let waitMs = VERIFY_FIRST_MS; !signal.aborted; waitMs = VERIFY_EVERY_MS) {
      await either(changes.gap(), (cut) => underAny([signal, cut], (ending) => clock.wait(waitMs, ending)))
      if (changes.point === null) await loadWhole()
      else if (!signal.aborted)
        await verify().catch((error: unknown) => log.warn({ err: error }, 'could not verify the keywords'))
    }
  }
  const ended = Promise.all([
    filters.ended,
    rejections.ended,
    words.ended,
    keepWhole(),
    every(LOOK_EVERY_MS, async () => changes.look(), 'could not read the log of keyword changes'),
    every(SNAPSHOT_EVERY_MS, () => save(false), 'could not write the snapshot of the keywords'),
    every(LEFT_OUT_MS, async () => index.matcher.tellOfAll(), 'could not look again for whom posts are dropped'),
  ]).then(() => save(true))
  signal.addEventListener(
    'abort',
    () => {
      listening.resolve()
      loaded.reject(new Error('stopped before the keywords were loaded'))
    },
    { once: true },
  )
  const listener: DropListener = { mayLook: rejections.mayLook, wants: rejections.wants, dropped: rejections.note }
  const admitted = (matched: MatchedPost | null) =>
    filters.admitted(matched, (keyword) => matched && rejections.note(matched.post, keyword, 'workspace_filter'))
  return {
    match: (post) => admitted(index.match(post, clock.now(), listener)),
    get shared() {
      return index.matcher.share()
    },
    describe: (post, found) => admitted(index.describe(post, found, clock.now(), listener)),
    admitted,
    noteRejected(post, keyword, verdict) {
      if (isReason(verdict)) rejections.note(post, keyword, verdict)
    },
    noteDrops: (post, drops) => index.tellDrops(post, drops, listener),
    noteRead: words.note,
    async caughtUp() {
      // A gap means that everything is being read again, from now on and therefore with what is asked for here.
      while (!signal.aborted && !(await changes.caughtUp())) await clock.wait(RETRY_MS, signal)
    },
    get size() {
      return index.totals.count
    },
    loaded: loaded.promise,
    ended: ended.catch((error: unknown) =>
      log.warn({ err: error }, 'the last snapshot of the keywords could not be written'),
    ),
  }
}

/** Waits for a promise or for a wait, which is cut short when the promise comes first. */
async function either(promise: Promise<void>, wait: (cut: AbortSignal) => Promise<void>): Promise<void> {
  const cutting = new AbortController()
  await Promise.race([promise, wait(cutting.signal)])
  cutting.abort()
}

interface Resolvers {
  promise: Promise<void>
  resolve: () => void
  reject: (reason: Error) => void
}

function withResolvers(): Resolvers {
  let resolve: () => void = () => undefined
  let reject: (reason: Error) => void = () => undefined
  const promise = new Promise<void>((done, fail) => {
    resolve = done
    reject = fail
  })
  // A start that is abandoned has nobody who waits.
  promise.catch(() => undefined)
  return { promise, resolve, reject }
}
