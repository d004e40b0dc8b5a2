import { type Clock, SECOND_MS } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { Metrics } from '../kernel/metrics.ts'
import { type Database, DatabaseUnavailable } from '../store/database.ts'
import { type Settled, settleDeliveries } from '../store/deliveries.ts'

export interface SettlingOptions {
  db: Database
  clock: Clock
  log: Log
  metrics: Metrics
}

/** The lease that a delivery is in hand under; it changes when this process takes the delivery again. */
export interface Leased {
  readonly leasedUntil: Date
}

/** Writes the results of attempts down, in groups. */
export interface Settling {
  /** Resolves when the result is written down. While the database is away it is kept and tried again. */
  add(result: Omit<Settled, 'leasedUntil'>, lease: Leased): Promise<void>
  /** From now on an absence of the database is waited out for a few seconds only, so that the process can end. */
  hurry(): void
}

/** Results wait for each other at most this long; while one group is being written, the next one grows. */
const SETTLE_MS = 5
/** The same after a group of at least so many: where much is going on, a transaction for each few would cost more than what is in it. */
const SETTLE_BUSY_MS = 25
const BUSY_GROUP = 50
const GROUP_MAX = 500
/** Once the process is to end. */
const LAST_TRIES = 10

interface Waiting {
  result: Omit<Settled, 'leasedUntil'>
  lease: Leased
  done: () => void
  failed: (error: unknown) => void
}

export function createSettling(options: SettlingOptions): Settling {
  const { db, clock, log, metrics } = options
  const waiting: Waiting[] = []
  let running = false
  let hurried = false
  /** Since the process is to end. */
  let failedTries = 0

  /**
   * What was accepted and is not known to be is sent again: an outage of the database is waited out for as long as this
   * process runs. What waits meanwhile still counts as in hand, so its number is bounded.
   */
  const persist = async (group: readonly Waiting[]): Promise<void> => {
    for (;;) {
      try {
        const settled = group.map(({ result, lease }) => ({ ...result, leasedUntil: lease.leasedUntil }))
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
  const write = async (group: readonly Waiting[]): Promise<void> => {
    const beganMs = clock.monotonicMs()
    try {
      await persist(group)
      metrics.settleSeconds.observe((clock.monotonicMs() - beganMs) / SECOND_MS)
      for (const { done } of group) done()
    } catch (error) {
      if (group.length > 1 && !(error instanceof DatabaseUnavailable)) {
        // One that cannot be written must not take the others along, whose receivers would get them once more.
        const middle = group.length >> 1
        await write(group.slice(0, middle))
        await write(group.slice(middle))
        return
      }
      log.warn({ err: error, deliveries: group.length }, 'could not write the results of deliveries down')
      for (const { failed } of group) failed(error)
    }
  }
  const drain = async () => {
    let settleMs = SETTLE_MS
    while (waiting.length > 0) {
      if (waiting.length < GROUP_MAX) await clock.wait(settleMs)
      const group = waiting.splice(0, GROUP_MAX)
      settleMs = group.length < BUSY_GROUP ? SETTLE_MS : SETTLE_BUSY_MS
      await write(group)
    }
    running = false
  }
  return {
    add: (result, lease) =>
      new Promise<void>((done, failed) => {
        waiting.push({ result, lease, done, failed })
        if (running) return
        running = true
        void drain()
      }),
    hurry() {
      hurried = true
    },
  }
}
