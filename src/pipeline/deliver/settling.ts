import { shownOutcome } from '../../domain/delivery/status.ts'
import { type Clock, SECOND_MS } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { type Database, DatabaseUnavailable } from '../../store/database.ts'
import { type Settled, settleDeliveries } from '../../store/delivery/settle-deliveries.ts'
import type { DeliverMetrics } from './metrics.ts'

export interface SettlingOptions<One extends Leased> {
  db: Database
  clock: Clock
  log: Log
  metrics: DeliverMetrics
  /** What was added is written down, or could not be, and `error` says why. */
  onEnd(one: One, error: unknown): void
}

/** The lease that a delivery is in hand under; it changes when this process takes the delivery again. */
export interface Leased {
  readonly leasedUntil: Date
}

/** Writes the results of attempts down, in groups. */
export interface Settling<One extends Leased> {
  /** While the database is away the result is kept and tried again. */
  add(result: Omit<Settled, 'leasedUntil'>, one: One): void
  /** From now on an absence of the database is waited out for a few seconds only, so that the process can end. */
  hurry(): void
  /** Resolves when nothing is to be written down any more. */
  idle(): Promise<void>
}

/** Results wait for each other at most this long; while one group is being written, the next one grows. */
const SETTLE_MS = 5
/**
 * The same after a group of at least so many: where much is going on, a transaction for each few would cost more than
 * what is in it.
 */
const SETTLE_BUSY_MS = 25
const BUSY_GROUP = 50
/**
 * A group has at most so many. When as many wait beside the one that is being written, they are written at once: a
 * commit leaves the server time for another.
 */
const GROUP_MAX = 500
/** Once the process is to end. */
const LAST_TRIES = 10

interface Waiting<One> {
  result: Omit<Settled, 'leasedUntil'>
  one: One
}

export function createSettling<One extends Leased>({
  db,
  clock,
  log,
  metrics,
  onEnd,
}: SettlingOptions<One>): Settling<One> {
  const waiting: Waiting<One>[] = []
  let running: Promise<void> | null = null
  let beside: Promise<void> | null = null
  let hurried = false
  /** Since the process is to end. */
  let failedTries = 0

  /**
   * What was accepted and is not known to be is sent again: an outage of the database is waited out for as long as this
   * process runs. What waits meanwhile still counts as in hand, so its number is bounded.
   */
  const persist = async (group: readonly Waiting<One>[]): Promise<void> => {
    for (;;) {
      try {
        const settled = group.map(({ result, one }) => ({ ...result, leasedUntil: one.leasedUntil }))
        await db.transaction((tx) => settleDeliveries(tx, settled))
        failedTries = 0
        return
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable)) throw error
        if (hurried) failedTries += 1
        if (failedTries >= LAST_TRIES) throw error
        await clock.wait(SECOND_MS)
      }
    }
  }
  const write = async (group: readonly Waiting<One>[]): Promise<void> => {
    const beganMs = clock.monotonicMs()
    try {
      await persist(group)
    } catch (error) {
      if (group.length > 1 && !(error instanceof DatabaseUnavailable)) {
        // One that cannot be written must not take the others along, whose receivers would get them once more.
        const middle = group.length >> 1
        await write(group.slice(0, middle))
        await write(group.slice(middle))
        return
      }
      log.warn({ err: error, deliveries: group.length }, 'could not write the results of deliveries down')
      for (const { one } of group) onEnd(one, error)
      return
    }
    const tookMs = clock.monotonicMs() - beganMs
    metrics.settleSeconds.observe(tookMs / SECOND_MS)
    log.info({ deliveries: group.length, ...countsOf(group), ms: Math.round(tookMs) }, 'deliveries written down')
    for (const { one } of group) onEnd(one, null)
  }
  const drain = async () => {
    let settleMs = SETTLE_MS
    while (waiting.length > 0) {
      if (waiting.length < GROUP_MAX) await clock.wait(settleMs)
      const group = waiting.splice(0, GROUP_MAX)
      settleMs = group.length < BUSY_GROUP ? SETTLE_MS : SETTLE_BUSY_MS
      if (group.length > 0) await write(group)
    }
    running = null
  }
  const drainBeside = async () => {
    while (waiting.length >= GROUP_MAX) await write(waiting.splice(0, GROUP_MAX))
    beside = null
  }
  return {
    add(result, one) {
      waiting.push({ result, one })
      if (running === null) running = drain()
      else if (waiting.length >= GROUP_MAX) beside ??= drainBeside()
    },
    hurry() {
      hurried = true
    },
    async idle() {
      while (running !== null || beside !== null) await Promise.all([running, beside])
    },
  }
}

/** How many attempts led to what; those that are to be tried again count as retries. */
function countsOf(group: readonly { result: Pick<Settled, 'state'> }[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { result } of group) {
    const outcome = shownOutcome(result.state.status)
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  return counts
}
