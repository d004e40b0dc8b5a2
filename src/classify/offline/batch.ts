import type { Scored, Subject } from '../contract.ts'

/** Subjects that are scored in parts. `result` is rejected by the first failure or the signal. */
export class TextBatch {
  readonly subjects: readonly Subject[]
  readonly result: Promise<Scored[]>
  isOver = false
  private readonly scored: Scored[] = []
  private readonly signal: AbortSignal
  private left: number
  private resolve!: (scored: Scored[]) => void
  private reject!: (reason: unknown) => void
  private readonly quit = () => this.fail(this.signal.reason)

  constructor(subjects: readonly Subject[], signal: AbortSignal) {
    this.subjects = subjects
    this.left = subjects.length
    this.signal = signal
    this.result = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
    signal.addEventListener('abort', this.quit, { once: true })
  }

  settle(from: number, count: number, scored: readonly Scored[]): void {
    for (let at = 0; at < count; at += 1) this.scored[from + at] = scored[at]!
    this.left -= count
    if (this.left > 0) return
    this.end()
    this.resolve(this.scored)
  }

  fail(reason: unknown): void {
    this.end()
    this.reject(reason)
  }

  private end(): void {
    this.isOver = true
    this.signal.removeEventListener('abort', this.quit)
  }
}
