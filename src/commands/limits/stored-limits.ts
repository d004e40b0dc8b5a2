import { type Clock, MINUTE_MS, plus, SECOND_MS } from '../../kernel/clock.ts'
import { hashOf } from '../../kernel/secrets.ts'
import { type Database, DatabaseUnavailable, isNotReady } from '../../store/database.ts'
import { countLimit, uncountLimit } from '../../store/limit-counts.ts'
import type { Allowance, ExactLimits } from './contract.ts'
import type { CountingAlone } from './counting-alone.ts'
import { MemoryLimits } from './memory-limits.ts'

/** A refusal is repeated from memory for this time, so that a flood costs one statement a second. */
const REFUSED_FOR_MS = SECOND_MS
const REFUSALS_CACHED = 10_000
/** Time without statements after one has failed. */
const RETRY_MS = SECOND_MS

interface Refused {
  cachedUntilMs: number
  /** On the wall clock. */
  firstFreeMs: number
  resetAt: number
}

/** Counts in rows of the database. While the database cannot be used, this process counts in its memory. */
export class StoredLimits implements ExactLimits {
  private readonly db: Database
  private readonly clock: Clock
  private readonly alone: CountingAlone
  private readonly refusals = new Map<string, Refused>()
  /** The last count of each key that is under way. The next one waits, so a flood sends one statement at a time. */
  private readonly turns = new Map<string, Promise<unknown>>()
  private readonly ownByLength = new Map<number, MemoryLimits>()
  private readonly countedAlone = new WeakMap<Allowance, MemoryLimits>()
  private askAgainAtMs = Number.NEGATIVE_INFINITY

  constructor(db: Database, clock: Clock, alone: CountingAlone) {
    this.db = db
    this.clock = clock
    this.alone = alone
  }

  async take(key: string, limit: number, windowMs: number = MINUTE_MS): Promise<Allowance> {
    const before = this.turns.get(key)
    const turn = (async () => {
      await before
      return this.cachedRefusal(key, limit) ?? (await this.shared(() => this.count(key, limit, windowMs)))
    })()
    const counted = turn.then((allowance) => allowance ?? this.takeAlone(key, limit, windowMs))
    // A failure does not fail the next count.
    const over = counted.catch(() => undefined)
    this.turns.set(key, over)
    void over.then(() => this.turns.get(key) === over && this.turns.delete(key))
    return counted
  }

  async giveBack(key: string, granted: Allowance): Promise<void> {
    this.refusals.delete(key)
    const own = this.countedAlone.get(granted)
    if (own !== undefined) return own.giveBack(key, granted)
    await this.shared(() => uncountLimit(this.db, hashOf(key), new Date(granted.takenAtMs)))
  }

  private async count(key: string, limit: number, windowMs: number): Promise<Allowance> {
    const at = this.clock.now()
    const { granted, grantedAt } = await countLimit(this.db, { key: hashOf(key), limit, windowMs, at })
    const times = grantedAt.map((time) => time.getTime())
    const [first, last] = [Math.min(...times, at.getTime()), Math.max(...times, at.getTime())]
    const firstFreeMs = granted || times.length > 0 ? first + windowMs : plus(at, REFUSED_FOR_MS).getTime()
    const resetAt = Math.ceil((last + windowMs) / SECOND_MS)
    if (!granted) this.cacheRefusal(key, { firstFreeMs, resetAt })
    const remaining = granted ? Math.max(0, limit - times.length) : 0
    return { granted, limit, remaining, resetAt, ...this.waitUntil(firstFreeMs), takenAtMs: at.getTime() }
  }

  private waitUntil(firstFreeMs: number): { retryAfterSeconds: number } {
    return { retryAfterSeconds: Math.max(1, Math.ceil((firstFreeMs - this.clock.now().getTime()) / SECOND_MS)) }
  }

  private cacheRefusal(key: string, refused: Omit<Refused, 'cachedUntilMs'>): void {
    if (this.refusals.size >= REFUSALS_CACHED) this.refusals.clear()
    const freeInMs = refused.firstFreeMs - this.clock.now().getTime()
    this.refusals.set(key, {
      ...refused,
      cachedUntilMs: this.clock.monotonicMs() + Math.min(REFUSED_FOR_MS, freeInMs),
    })
  }

  private cachedRefusal(key: string, limit: number): Allowance | null {
    const refused = this.refusals.get(key)
    if (refused === undefined) return null
    if (refused.cachedUntilMs <= this.clock.monotonicMs()) {
      this.refusals.delete(key)
      return null
    }
    const { firstFreeMs, resetAt } = refused
    return { granted: false, limit, remaining: 0, resetAt, ...this.waitUntil(firstFreeMs), takenAtMs: 0 }
  }

  /** Null when the database cannot be used. */
  private async shared<Result>(ask: () => Promise<Result>): Promise<Result | null> {
    if (this.clock.monotonicMs() < this.askAgainAtMs) return null
    try {
      const answer = await ask()
      this.alone.ends('exact')
      return answer
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) && !isNotReady(error)) throw error
      this.askAgainAtMs = this.clock.monotonicMs() + RETRY_MS
      this.alone.begins('exact', error)
      return null
    }
  }

  private takeAlone(key: string, limit: number, windowMs: number): Allowance {
    const own = this.ownByLength.get(windowMs) ?? new MemoryLimits(this.clock, windowMs)
    this.ownByLength.set(windowMs, own)
    const allowance = own.take(key, limit)
    this.countedAlone.set(allowance, own)
    return allowance
  }
}
