import type { Clock } from '../../kernel/clock.ts'
import { newUuid } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { Database } from '../../store/database.ts'
import type { RateLimits } from './contract.ts'
import { CountingAlone } from './counting-alone.ts'
import { channelOn, LimitExchange } from './limit-exchange.ts'
import { MemoryLimits } from './memory-limits.ts'
import type { LimitMetrics } from './metrics.ts'
import { StoredLimits } from './stored-limits.ts'

export interface LimitParts {
  db: Database
  clock: Clock
  log: Log
  metrics?: LimitMetrics | undefined
}

/** Limits that can also be shared with other processes. */
export interface SharedLimits extends RateLimits {
  /** Exchanges counts with the other processes on the database until the signal. */
  share(signal: AbortSignal): Promise<void>
}

export function createRateLimits({ db, clock, log, metrics }: LimitParts): SharedLimits {
  const alone = new CountingAlone(log, metrics)
  const exchange = new LimitExchange({
    id: newUuid(clock.now()),
    channel: channelOn(db),
    clock,
    alone,
    onPeers: (count) => metrics?.limitPeers.set(count),
  })
  const memory = new MemoryLimits(clock, undefined, exchange.granted)
  return {
    take: (key, limit) => memory.take(key, limit),
    giveBack: (key, granted) => memory.giveBack(key, granted),
    exact: new StoredLimits(db, clock, alone),
    share: (signal) => exchange.run(memory.windows, signal),
  }
}
