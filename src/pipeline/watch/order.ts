import type { Clock } from '../../kernel/clock.ts'
import { Deferred } from '../../kernel/concurrency/deferred.ts'
import type { Uuid } from '../../kernel/ids.ts'

/**
 * Changes and sweeps read keywords concurrently, and either may apply an older state after the other's newer one.
 * KeywordOrder keeps the newer state.
 */
export class KeywordOrder {
  private readonly fresh = new Set<string>()
  private lastSent = 0
  private swept = 0
  private isSweeping = false

  /** The number of a read, drawn before its statement is sent. */
  sent(): number {
    this.lastSent += 1
    return this.lastSent
  }

  /** Until `endSweep`, the sweep leaves changed keywords alone, because it may have read them earlier. */
  beginSweep(): void {
    this.isSweeping = true
  }

  endSweep(): void {
    this.isSweeping = false
    this.fresh.clear()
  }

  isFresh(id: Uuid): boolean {
    return this.fresh.has(id)
  }

  noteFresh(id: Uuid): void {
    if (this.isSweeping) this.fresh.add(id)
  }

  noteSwept(sent: number): void {
    this.swept = Math.max(this.swept, sent)
  }

  /** Whether a sweep applied a later read. The read must then be repeated. */
  isOvertaken(sent: number): boolean {
    return this.swept > sent
  }
}

/** Pauses changes for a moment, so that a consistent snapshot can be written. */
export class ChangeGate {
  private readonly clock: Clock
  private opened: Deferred | null = null
  private waitingSinceMs: number | null = null

  constructor(clock: Clock) {
    this.clock = clock
  }

  /** Await right before a change and make the change without another await. */
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

  waitingMs(): number {
    return this.waitingSinceMs === null ? 0 : this.clock.monotonicMs() - this.waitingSinceMs
  }
}
