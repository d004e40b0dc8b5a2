import type { Clock } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { underAny } from '../../kernel/under-any.ts'

/** One who follows a workspace. One caller at a time. */
export interface Follower {
  /**
   * Waits until something was told, for at most so long. Resolves at once when something was told before, or it is
   * over.
   */
  wait(ms: number, signal: AbortSignal): Promise<void>
  /**
   * What was told since the last call. `missed` is true when that may not be all, because notifications were lost or
   * more came than are kept.
   */
  take(): { ids: Uuid[]; missed: boolean }
  /** Whether somebody's access to the workspace has changed since the last call, or may have. */
  takeDoubt(): boolean
  /** True when nothing more will be told. */
  readonly over: boolean
  /** Has to be called in the end; idempotent. */
  leave(): void
}

/** What a slow reader has waiting; beyond it the reader looks in the database instead. */
const WAITING_MAX = 10_000

/** What one follower has not read yet. */
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
