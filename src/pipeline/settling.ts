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

/** Writes the results of attempts down, in groups. */
export interface Settling {
  /** Resolves when the result is written down. */
  add(settled: Settled): Promise<void>
}

/** Results wait for each other at most this long; while one group is being written, the next one grows. */
const SETTLE_MS = 5
const GROUP_MAX = 500
const SETTLE_TRIES = 10

interface Waiting {
  settled: Settled
  done: () => void
  failed: (error: unknown) => void
}

export function createSettling(options: SettlingOptions): Settling {
  const { clock, log, metrics } = options
  const waiting: Waiting[] = []
  let running = false

  const write = async (group: readonly Waiting[]): Promise<void> => {
    const beganMs = clock.monotonicMs()
    try {
      await persist(
        group.map(({ settled }) => settled),
        options,
      )
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
    while (waiting.length > 0) {
      if (waiting.length < GROUP_MAX) await clock.wait(SETTLE_MS)
      await write(waiting.splice(0, GROUP_MAX))
    }
    running = false
  }
  return {
    add: (settled) =>
      new Promise<void>((done, failed) => {
        waiting.push({ settled, done, failed })
        if (running) return
        running = true
        void drain()
      }),
  }
}

/** What was accepted must be known before its lease ends, or it is sent again: a short outage is waited out. */
async function persist(settled: readonly Settled[], { db, clock }: SettlingOptions): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await db.transaction((tx) => settleDeliveries(tx, settled))
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || tried === SETTLE_TRIES) throw error
      await clock.wait(SECOND_MS)
    }
  }
}
