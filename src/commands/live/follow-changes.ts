import type { Topic } from '../../domain/follower/topics.ts'
import { batchesOf } from '../../kernel/batches.ts'
import { plus, SECOND_MS } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Change, type ChangeEvent, eventsOf } from '../../queries/changes/change.ts'
import { readMissedChanges } from '../../queries/changes/missed-changes.ts'
import { type ChangeReading, readNamedChanges } from '../../queries/changes/named-changes.ts'
import { DatabaseUnavailable } from '../../store/database.ts'
import { createAsking } from './asking.ts'
import type { Follower } from './follower.ts'

/** `position`: everything that changed before this instant was yielded; null within a round. */
export interface FollowedChanges {
  event: ChangeEvent | null
  position: Date | null
}

export interface ChangeFollower extends ChangeReading {
  follower: Follower
  topics: readonly Topic[]
  /** False ends following. */
  stillAllowed: () => Promise<boolean>
  /** Null starts now. */
  since: Date | null
  /** A quiet stream yields its position after this time. */
  quietMs: number
  signal: AbortSignal
}

/**
 * Transactions begun before the first follower send no notifications. They end within this time, and a query finds
 * their changes.
 */
const UNNOTIFIED_MS = 10 * SECOND_MS
/** After events, notifications gather this long. */
const GATHER_MS = 250
const BATCH = 500

/**
 * Yields changes in rounds. Notifications name new changes; queries by time find earlier and missed ones. Waits out
 * short outages of the database.
 */
export async function* followChanges(following: ChangeFollower): AsyncIterable<FollowedChanges> {
  const { clock, follower, signal, quietMs } = following
  const isAllowed = createAsking({
    ...{ clock, follower, signal },
    ask: async () => ((await following.stillAllowed()) ? true : null),
    lasts: () => true,
  })
  const progress = new Progress(clock.now(), following.since)
  if (following.since === null) yield { event: null, position: progress.position }
  while ((await isAllowed()) !== null) {
    const roundAt = clock.now()
    let hasEvents = false
    try {
      for await (const followed of lastMarked(roundOf(following, progress, roundAt), roundAt)) {
        if ((await isAllowed()) === null) return
        yield followed
        progress.yieldedAt = clock.now()
        hasEvents = true
      }
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error
      progress.mustQuery = true
      await clock.wait(SECOND_MS, signal)
      continue
    }
    progress.endRound(roundAt)
    if (hasEvents) {
      await follower.pause(GATHER_MS, signal)
      continue
    }
    if (clock.now().getTime() - progress.yieldedAt.getTime() >= quietMs) {
      yield { event: null, position: progress.position }
      progress.yieldedAt = clock.now()
    }
    await follower.wait(progress.waitMs(clock.now(), quietMs), signal)
  }
}

/** Only a whole round moves the position: a client that is cut off within one gets the round again. */
async function* lastMarked(events: AsyncIterable<ChangeEvent>, position: Date): AsyncIterable<FollowedChanges> {
  let last: ChangeEvent | null = null
  for await (const event of events) {
    if (last !== null) yield { event: last, position: null }
    last = event
  }
  if (last !== null) yield { event: last, position }
}

async function* roundOf(following: ChangeFollower, progress: Progress, roundAt: Date): AsyncIterable<ChangeEvent> {
  const news = following.follower.take()
  if (news.missed) progress.mustQuery = true
  const { seen } = progress.beginRound(roundAt)
  const missedFrom = progress.mustQuery ? plus(progress.position, -UNNOTIFIED_MS) : null
  for (const topic of following.topics)
    yield* missedFrom === null
      ? namedEvents(following, topic, news.idsOf(topic), seen)
      : missedEvents(following, topic, missedFrom, seen)
}

async function* namedEvents(
  following: ChangeFollower,
  topic: Topic,
  ids: readonly Uuid[],
  seen: SeenChanges,
): AsyncIterable<ChangeEvent> {
  for (const batch of batchesOf(ids, BATCH)) {
    const changes = await readNamedChanges(following, topic, batch)
    for (const change of changes) seen.note(change)
    yield* eventsOf(changes)
  }
}

async function* missedEvents(
  following: ChangeFollower,
  topic: Topic,
  from: Date,
  seen: SeenChanges,
): AsyncIterable<ChangeEvent> {
  for await (const changes of readMissedChanges(following, topic, from))
    yield* eventsOf(changes.filter((change) => seen.isNew(change)))
}

class Progress {
  /** Everything that changed before was yielded. */
  position: Date
  mustQuery: boolean
  yieldedAt: Date
  readonly seen = new SeenChanges()
  private queryAgainAt: number

  constructor(begunAt: Date, since: Date | null) {
    this.position = since !== null && since < begunAt ? since : begunAt
    this.mustQuery = since !== null
    this.yieldedAt = begunAt
    this.queryAgainAt = plus(begunAt, UNNOTIFIED_MS).getTime()
  }

  beginRound(roundAt: Date): this {
    this.seen.notedFrom = plus(roundAt, -UNNOTIFIED_MS)
    if (roundAt.getTime() < this.queryAgainAt) return this
    this.queryAgainAt = Number.POSITIVE_INFINITY
    this.mustQuery = true
    return this
  }

  endRound(roundAt: Date): void {
    this.mustQuery = false
    this.position = roundAt
    this.seen.forgetEarlier()
  }

  /** Until there is something to do without news. */
  waitMs(now: Date, quietMs: number): number {
    return Math.max(0, Math.min(plus(this.yieldedAt, quietMs).getTime(), this.queryAgainAt) - now.getTime())
  }
}

/** Changes already yielded that a query may find again. */
class SeenChanges {
  /** Earlier changes cannot be found again, unless the round fails. */
  notedFrom = new Date(0)
  private readonly changes = new Map<string, Date>()

  note({ key, at }: Change): void {
    if (key !== null && at >= this.notedFrom) this.changes.set(key, at)
  }

  isNew(change: Change): boolean {
    if (change.key !== null && this.changes.has(change.key)) return false
    this.note(change)
    return true
  }

  forgetEarlier(): void {
    for (const [key, at] of this.changes) if (at < this.notedFrom) this.changes.delete(key)
  }
}
