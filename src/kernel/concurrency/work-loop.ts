import type { Clock } from '../clock.ts'

export interface WorkLoopOptions {
  clock: Pick<Clock, 'wait'>
  /** Ends the loop after the present step. */
  signal: AbortSignal
  hasWork(): boolean
  /** What a failed step could not do must count as work again. */
  step(): Promise<void>
  /** The next step follows after `retryMs`. */
  onFailure(error: unknown): void
  retryMs: number
}

/** Runs one step at a time, however often it is started. */
export class WorkLoop {
  private readonly options: WorkLoopOptions
  private isRunning = false

  constructor(options: WorkLoopOptions) {
    this.options = options
  }

  /** Resolves when no work is left, at once when the loop runs already. Never rejects. */
  async run(): Promise<void> {
    if (this.isRunning) return
    this.isRunning = true
    const { signal, hasWork } = this.options
    while (!signal.aborted && hasWork()) await this.step()
    this.isRunning = false
  }

  private async step(): Promise<void> {
    const { clock, signal, step, onFailure, retryMs } = this.options
    try {
      await step()
    } catch (error) {
      if (signal.aborted) return
      onFailure(error)
      await clock.wait(retryMs, signal)
    }
  }
}
