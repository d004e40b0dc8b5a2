import type { Topic } from '../../domain/follower/topics.ts'
import type { Clock } from '../../kernel/clock.ts'
import { underAny } from '../../kernel/concurrency/under-any.ts'
import type { Uuid } from '../../kernel/ids.ts'

/** For one caller at a time. */
export interface Follower {
  /** Resolves at once when notifications wait, or when over. */
  wait(ms: number, signal: AbortSignal): Promise<void>
  /** Like `wait`, but lets notifications gather; a change of access ends it. */
  pause(ms: number, signal: AbortSignal): Promise<void>
  take(): News
  /** Anybody's access may have changed since the last call. */
  takeDoubt(): boolean
  readonly over: boolean
  /** Must be called; idempotent. */
  leave(): void
}

export interface News {
  idsOf(topic: Topic): readonly Uuid[]
  /** Notifications were lost or exceeded the limit. */
  missed: boolean
}

/** Above this, a slow reader queries the database instead. */
const WAITING_MAX = 10_000

export class Inbox {
  readonly topics: ReadonlySet<Topic>
  private readonly clock: Clock
  private ids = new Map<Topic, Uuid[]>()
  private waiting = 0
  private missed = false
  private doubted = false
  private isClosed = false
  private gathers = false
  private wake: () => void = () => undefined

  constructor(clock: Clock, topics: readonly Topic[]) {
    this.clock = clock
    this.topics = new Set(topics)
  }

  get closed(): boolean {
    return this.isClosed
  }

  put(topic: Topic, more: readonly Uuid[]): void {
    if (!this.topics.has(topic)) return
    if (this.waiting + more.length > WAITING_MAX) {
      this.clear()
      this.missed = true
    } else if (!this.missed) {
      const before = this.ids.get(topic)
      if (before === undefined) this.ids.set(topic, [...more])
      else before.push(...more)
      this.waiting += more.length
    }
    if (!this.gathers) this.wake()
  }

  miss(): void {
    this.missed = true
    if (!this.gathers) this.wake()
  }

  /** Following begins now, so nothing has been missed. */
  begin(): void {
    this.missed = false
  }

  doubt(): void {
    this.doubted = true
    this.wake()
  }

  takeDoubt(): boolean {
    const was = this.doubted
    this.doubted = false
    return was
  }

  take(): News {
    const { ids, missed } = this
    this.clear()
    this.missed = false
    return { idsOf: (topic) => ids.get(topic) ?? [], missed }
  }

  async wait(ms: number, signal: AbortSignal): Promise<void> {
    if (this.waiting > 0 || this.missed) return
    await this.sleep(ms, signal)
  }

  async pause(ms: number, signal: AbortSignal): Promise<void> {
    this.gathers = true
    await this.sleep(ms, signal)
    this.gathers = false
  }

  close(): void {
    this.isClosed = true
    this.wake()
  }

  private async sleep(ms: number, signal: AbortSignal): Promise<void> {
    if (this.doubted || this.isClosed || signal.aborted) return
    const woken = new AbortController()
    this.wake = () => woken.abort()
    await underAny([signal, woken.signal], (either) => this.clock.wait(ms, either))
    this.wake = () => undefined
  }

  private clear(): void {
    this.ids = new Map()
    this.waiting = 0
  }
}
