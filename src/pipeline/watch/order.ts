import type { Clock } from '../../kernel/clock.ts'
import { Deferred } from '../../kernel/concurrency/deferred.ts'
import type { Uuid } from '../../kernel/ids.ts'

/**
 * Keywords are read by two at the same time: changes as they are heard of, and sweeps over everything. What either
 * reads may be put in place after what the other read later. This keeps the later state in place, whoever read it.
 */
export class KeywordOrder {
  private readonly fresh = new Set<string>()
  private lastSent = 0
  private swept = 0
  private isSweeping = false

  /** The number of a reading, drawn right before its statement is sent. */
  sent(): number {
    this.lastSent += 1
    return this.lastSent
  }

  /** From here to `endSweep`, what changes put in place is left alone by the sweep, which may have read it before. */
  beginSweep(): void {
    this.isSweeping = true
  }

  endSweep(): void {
    this.isSweeping = false
    this.fresh.clear()
  }

  /** Whether a change has put this keyword in place since the sweep began. */
  isFresh(id: Uuid): boolean {
    return this.fresh.has(id)
  }

  noteFresh(id: Uuid): void {
    if (this.isSweeping) this.fresh.add(id)
  }

  /** What a sweep read with this number is being put in place. */
  noteSwept(sent: number): void {
    this.swept = Math.max(this.swept, sent)
  }

  /**
   * Whether a sweep has put in place what it read after this reading was sent; then the reading has to be done again.
   */
  isOvertaken(sent: number): boolean {
    return this.swept > sent
  }
}

/** What has to stand still now and then, for a moment, so that it can be written down as a whole. */
export class Gate {
  private readonly clock: Clock
  private opened: Deferred | null = null
  private waitingSinceMs: number | null = null

  constructor(clock: Clock) {
    this.clock = clock
  }

  /** To be awaited right before every change, which may then be made without another wait in between. */
  async pass(): Promise<void> {
    while (this.opened) {
      this.waitingSinceMs ??= this.clock.monotonicMs()
      await this.opened.promise
    }
  }

  close(): void {
    this.opened = new Deferred()
  }

  open(): void {
    this.opened?.resolve()
    this.opened = null
    this.waitingSinceMs = null
  }

  /** How long somebody has been waiting to pass, in milliseconds; 0 when nobody is. */
  waitingMs(): number {
    return this.waitingSinceMs === null ? 0 : this.clock.monotonicMs() - this.waitingSinceMs
  }
}
