import { type Clock, MINUTE_MS } from '../../kernel/clock.ts'

const FAILURES_MAX = 3
export const REST_MS = MINUTE_MS

/** Opens for REST_MS after FAILURES_MAX failures in a row, then allows one call at a time until one succeeds. */
export class CircuitBreaker {
  private readonly clock: Clock
  private failures = 0
  private restUntilMs = Number.NEGATIVE_INFINITY

  constructor(clock: Clock) {
    this.clock = clock
  }

  get isOpen(): boolean {
    return this.clock.monotonicMs() < this.restUntilMs
  }

  get isTrial(): boolean {
    return this.failures >= FAILURES_MAX
  }

  record(outcome: 'success' | 'failure'): void {
    this.failures = outcome === 'success' ? 0 : this.failures + 1
    if (this.isTrial) this.restUntilMs = this.clock.monotonicMs() + REST_MS
  }
}
