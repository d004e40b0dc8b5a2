import { canParse } from '../../kernel/can-parse.ts'
import type { Clock } from '../../kernel/clock.ts'
import { boundedCache } from '../../kernel/concurrency/bounded-cache.ts'
import { TokenBucket } from '../../kernel/concurrency/token-bucket.ts'
import type { Uuid } from '../../kernel/ids.ts'

export interface HostPaceOptions {
  clock: Pick<Clock, 'monotonicMs' | 'alarm'>
  /** Per process, over all channels and workspaces. */
  perSecond: number
}

interface Bucket {
  tokens: TokenBucket
  /** First come, first served. Workspaces alternate in map order. */
  waiting: Map<Uuid, ((admitted: boolean) => void)[]>
  putOff: (() => void) | null
}

/** Beyond this, full buckets without waiters are evicted. */
const BUCKETS_MAX = 10_000

/**
 * Limits requests to a host, with a burst of one second's worth. Workspaces alternate, so that one with thousands of
 * deliveries delays no other.
 */
export class HostPace {
  private readonly buckets = new Map<string, Bucket>()
  private isOver = false
  private readonly options: HostPaceOptions

  constructor(options: HostPaceOptions) {
    this.options = options
  }

  /** Null when a request may go at once. Else resolves when it may, or with false after `end`. */
  take(host: string, workspaceId: Uuid): Promise<boolean> | null {
    if (this.isOver) return Promise.resolve(false)
    const bucket = this.bucketOf(host)
    bucket.tokens.refill()
    if (bucket.waiting.size === 0 && bucket.tokens.take()) return null
    return new Promise((resolve) => {
      const line = bucket.waiting.get(workspaceId)
      if (line) line.push(resolve)
      else bucket.waiting.set(workspaceId, [resolve])
      this.admit(bucket)
    })
  }

  end(): void {
    this.isOver = true
    for (const bucket of this.buckets.values()) {
      bucket.putOff?.()
      bucket.putOff = null
      for (const line of bucket.waiting.values()) for (const resolve of line) resolve(false)
      bucket.waiting.clear()
    }
  }

  private bucketOf(host: string): Bucket {
    const known = this.buckets.get(host)
    if (known) return known
    if (this.buckets.size >= BUCKETS_MAX) this.forgetIdle()
    const bucket: Bucket = {
      tokens: new TokenBucket(this.options.perSecond, this.options.clock),
      waiting: new Map(),
      putOff: null,
    }
    this.buckets.set(host, bucket)
    return bucket
  }

  private admit(bucket: Bucket): void {
    bucket.tokens.refill()
    for (const [workspaceId, line] of bucket.waiting) {
      if (!bucket.tokens.take()) break
      line.shift()!(true)
      bucket.waiting.delete(workspaceId)
      if (line.length > 0) bucket.waiting.set(workspaceId, line)
    }
    if (bucket.waiting.size === 0 || bucket.putOff !== null) return
    bucket.putOff = this.options.clock.alarm(bucket.tokens.waitMs, () => {
      bucket.putOff = null
      this.admit(bucket)
    })
  }

  private forgetIdle(): void {
    for (const [host, bucket] of this.buckets) {
      bucket.tokens.refill()
      if (bucket.waiting.size === 0 && bucket.tokens.isFull) this.buckets.delete(host)
    }
  }
}

/** Cached by settings version. Null for kinds whose senders have their own rate limit. */
export class ChannelHosts {
  private readonly known = boundedCache<{ settings: string; host: string | null }>({ most: BUCKETS_MAX })

  of(channelId: Uuid, { kind, settings }: { kind: string; settings: string }): string | null {
    if (kind !== 'webhook') return null
    const cached = this.known.get(channelId)
    if (cached?.settings === settings) return cached.host
    const { url } = JSON.parse(settings) as { url?: unknown }
    const host = typeof url === 'string' && canParse(url) ? new URL(url).hostname : null
    this.known.set(channelId, { settings, host })
    return host
  }
}
