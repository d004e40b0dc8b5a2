import { setImmediate as breathe } from 'node:timers/promises'
import type { Clock } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { Database } from '../../store/database.ts'
import {
  readWatchedAfter,
  unwatchedOf,
  WATCHED_KINDS,
  type WatchedBatch,
  type WatchedKeyword,
  type WatchedKind,
} from '../../store/keyword/watched-keywords.ts'
import type { ChangeGate, KeywordOrder } from './order.ts'
import { putOrLeaveOut, type WatchedIndex } from './watched-index.ts'

export interface SweepOptions {
  db: Database
  clock: Clock
  index: WatchedIndex
  order: KeywordOrder
  gate: ChangeGate
  log: Log
  signal: AbortSignal
  onChanged(count: number): void
}

const SLICE = 1000
const ASKED = 5000
/** Verification is never urgent, so its portions are small and it pauses. */
const VERIFIED: Readonly<Record<WatchedKind, number>> = { plain: 1000, ruled: 200 }
const VERIFY_PAUSE_MS = 250

export async function loadAll(options: SweepOptions): Promise<void> {
  const { index, order } = options
  const wasEmpty = index.totals.count === 0
  order.beginSweep()
  try {
    for (const kind of WATCHED_KINDS) await loadKind(options, kind)
    if (!wasEmpty) for (const ids of slicesOf(index.matcher.ids(), ASKED)) await forgetUnwatched(options, ids)
  } finally {
    order.endSweep()
  }
}

/** Reads the next portion while one is applied, so that the database and this thread work in parallel. */
async function loadKind(options: SweepOptions, kind: WatchedKind): Promise<void> {
  const { db, order, signal } = options
  const portionAfter = (after: Uuid | null): { sent: number; portion: Promise<WatchedBatch> } => {
    const sent = order.sent()
    const portion = readWatchedAfter(db, kind, after)
    // A failure meanwhile is thrown when its turn comes.
    portion.catch(() => undefined)
    return { sent, portion }
  }
  let coming: ReturnType<typeof portionAfter> | null = portionAfter(null)
  while (coming && !signal.aborted) {
    const { sent }: { sent: number } = coming
    const { keywords, last }: WatchedBatch = await coming.portion
    coming = last && portionAfter(last)
    await putAll(options, keywords, sent)
  }
}

async function putAll(
  { index, order, gate, log, onChanged }: SweepOptions,
  keywords: readonly WatchedKeyword[],
  sent: number,
): Promise<Uuid[]> {
  const different: Uuid[] = []
  for (let from = 0; from < keywords.length; from += SLICE) {
    await gate.pass()
    order.noteSwept(sent)
    const end = Math.min(from + SLICE, keywords.length)
    for (let at = from; at < end; at += 1) {
      const keyword = keywords[at]!
      if (!order.isFresh(keyword.id) && putOrLeaveOut(index, keyword, log)) different.push(keyword.id)
    }
    await breathe()
  }
  onChanged(different.length)
  return different
}

async function forgetUnwatched(
  { db, index, order, gate, onChanged }: SweepOptions,
  ids: readonly Uuid[],
): Promise<Uuid[]> {
  const sent = order.sent()
  const unwatched = await unwatchedOf(db, ids)
  await gate.pass()
  order.noteSwept(sent)
  const dropped = unwatched.filter((id) => !order.isFresh(id) && index.drop(id))
  onChanged(dropped.length)
  return dropped
}

function* slicesOf(ids: Iterable<string>, length: number): Generator<Uuid[]> {
  let slice: Uuid[] = []
  for (const id of ids) {
    if (slice.push(id as Uuid) < length) continue
    yield slice
    slice = []
  }
  if (slice.length > 0) yield slice
}

/**
 * Compares every keyword with the index and returns the number repaired, without changes in flight. `caughtUp` resolves
 * when earlier changes are applied; false ends the verification.
 */
export async function verifyAll(options: SweepOptions, caughtUp: () => Promise<boolean>): Promise<number> {
  const { db, clock, index, order, signal } = options
  let mended = 0
  let ended = false
  const portion = async (compare: () => Promise<Uuid[]>) => {
    order.beginSweep()
    try {
      const different = await compare()
      if (different.length > 0) {
        ended = !(await caughtUp())
        if (!ended) mended += different.filter((id) => !order.isFresh(id)).length
      }
    } finally {
      order.endSweep()
    }
    await clock.wait(VERIFY_PAUSE_MS, signal)
  }
  for (const kind of WATCHED_KINDS) {
    let after: Uuid | null = null
    do {
      await portion(async () => {
        const sent = order.sent()
        const { keywords, last }: WatchedBatch = await readWatchedAfter(db, kind, after, VERIFIED[kind])
        after = last
        return await putAll(options, keywords, sent)
      })
    } while (after !== null && !ended && !signal.aborted)
  }
  for (const ids of slicesOf(index.matcher.ids(), VERIFIED.plain)) {
    if (ended || signal.aborted) break
    await portion(() => forgetUnwatched(options, ids))
  }
  return mended
}
