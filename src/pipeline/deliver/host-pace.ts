import { canParse } from '../../kernel/can-parse.ts'
import { type Clock, SECOND_MS } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'

export interface HostPaceOptions {
  clock: Pick<Clock, 'monotonicMs' | 'alarm'>
  /** Requests that one host gets in a second, over all channels and workspaces of this process. */
  perSecond: number
}

/** A token bucket of one host, and who waits for its tokens. */
interface Bucket {
  tokens: number
  filledAtMs: number
  /** By workspace, each first come, first served; the workspaces take turns in the order of this map. */
  waiting: Map<Uuid, ((admitted: boolean) => void)[]>
  putOff: (() => void) | null
}

/** Buckets that are kept; beyond that those are forgotten that are full and that nobody waits for. */
const BUCKETS_MAX = 10_000

/**
 * Lets a host have so many requests a second and no more, after a burst of one second's worth. Where more want to go,
 * workspaces take turns, so that one with thousands of deliveries for a host that many share holds up none of the
 * others.
 */
export class HostPace {
  private readonly buckets = new Map<string, Bucket>()
  private isOver = false
  private readonly options: HostPaceOptions

  constructor(options: HostPaceOptions) {
    this.options = options
  }

  /**
   * Null when a request may go at once, which then counts; else what resolves when it may, with false when it is not to
   * go any more.
   */
  take(host: string, workspaceId: Uuid): Promise<boolean> | null {
    if (this.isOver) return Promise.resolve(false)
    const bucket = this.bucketOf(host)
    this.fill(bucket)
    if (bucket.waiting.size === 0 && bucket.tokens >= 1) {
      bucket.tokens -= 1
      return null
    }
    return new Promise((resolve) => {
      const line = bucket.waiting.get(workspaceId)
      if (line) line.push(resolve)
      else bucket.waiting.set(workspaceId, [resolve])
      this.admit(bucket)
    })
  }

  /** Whoever waits goes no more, nor does anybody later. */
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
      tokens: this.options.perSecond,
      filledAtMs: this.options.clock.monotonicMs(),
      waiting: new Map(),
      putOff: null,
    }
    this.buckets.set(host, bucket)
    return bucket
  }

  private fill(bucket: Bucket): void {
    const { clock, perSecond } = this.options
    const nowMs = clock.monotonicMs()
    bucket.tokens = Math.min(perSecond, bucket.tokens + ((nowMs - bucket.filledAtMs) / SECOND_MS) * perSecond)
    bucket.filledAtMs = nowMs
  }

  /** Lets go whom there are tokens for, one of each workspace in turn, and comes back for the others. */
  private admit(bucket: Bucket): void {
    this.fill(bucket)
    for (const [workspaceId, line] of bucket.waiting) {
      if (bucket.tokens < 1) break
      bucket.tokens -= 1
      line.shift()!(true)
      bucket.waiting.delete(workspaceId)
      // Behind the others; the loop comes to it again.
      if (line.length > 0) bucket.waiting.set(workspaceId, line)
    }
    if (bucket.waiting.size === 0 || bucket.putOff !== null) return
    const missing = Math.max(0, 1 - bucket.tokens)
    bucket.putOff = this.options.clock.alarm(Math.ceil((missing / this.options.perSecond) * SECOND_MS), () => {
      bucket.putOff = null
      this.admit(bucket)
    })
  }

  private forgetIdle(): void {
    for (const [host, bucket] of this.buckets) {
      this.fill(bucket)
      if (bucket.waiting.size === 0 && bucket.tokens >= this.options.perSecond) this.buckets.delete(host)
    }
  }
}

/**
 * The hosts of channels, read once for each version of their settings; null for kinds whose senders keep a pace of
 * their own.
 */
export class ChannelHosts {
  private readonly known = new Map<Uuid, { settings: string; host: string | null }>()

  of(channelId: Uuid, { kind, settings }: { kind: string; settings: string }): string | null {
    if (kind !== 'webhook') return null
    const kept = this.known.get(channelId)
    if (kept?.settings === settings) return kept.host
    if (this.known.size >= BUCKETS_MAX) this.known.clear()
    const { url } = JSON.parse(settings) as { url?: unknown }
    const host = typeof url === 'string' && canParse(url) ? new URL(url).hostname : null
    this.known.set(channelId, { settings, host })
    return host
  }
}
