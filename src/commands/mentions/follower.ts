import type { Clock } from '../../kernel/clock.ts'
import { underAny } from '../../kernel/concurrency/under-any.ts'
import type { Uuid } from '../../kernel/ids.ts'

/** For one caller at a time. */
export interface Follower {
  /** Resolves at once when notifications wait, or when over. */
  wait(ms: number, signal: AbortSignal): Promise<void>
  /** `missed`: notifications were lost or exceeded the limit. */
  take(): { ids: Uuid[]; missed: boolean }
  /** Anybody's access may have changed since the last call. */
  takeDoubt(): boolean
  readonly over: boolean
  /** Must be called; idempotent. */
  leave(): void
}

/** Above this, a slow reader queries the database instead. */
const WAITING_MAX = 10_000

export class Inbox {
  private readonly clock: Clock
  private ids: Uuid[] = []
  private missed = false
  private doubted = false
  private isClosed = false
  private wake: () => void = () => undefined

  constructor(clock: Clock) {
    this.clock = clock
  }

  get closed(): boolean {
    return this.isClosed
  }

  put(more: readonly Uuid[]): void {
    if (this.ids.length + more.length > WAITING_MAX) {
      this.ids = []
      this.missed = true
    } else if (!this.missed) this.ids.push(...more)
    this.wake()
  }

  miss(): void {
    this.missed = true
    this.wake()
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

  take(): { ids: Uuid[]; missed: boolean } {
    const taken = { ids: this.ids, missed: this.missed }
    this.ids = []
    this.missed = false
    return taken
  }

  async wait(ms: number, signal: AbortSignal): Promise<void> {
    if (this.ids.length > 0 || this.missed || this.doubted || this.isClosed || signal.aborted) return
    const woken = new AbortController()
    this.wake = () => woken.abort()
    await underAny([signal, woken.signal], (either) => this.clock.wait(ms, either))
    this.wake = () => undefined
  }

  close(): void {
    this.isClosed = true
    this.wake()
  }
}
