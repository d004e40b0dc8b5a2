import type { Clock } from '../clock.ts'

export interface WorkLoopOptions {
  clock: Pick<Clock, 'wait'>
  /** Ends the loop after the present step. */
  signal: AbortSignal
  hasWork(): boolean
  /** Does some of the work. When it rejects, what it could not do has to be work again. */
  step(): Promise<void>
  /** Told why a step failed; the next one follows after `retryMs`. */
  onFailure(error: unknown): void
  retryMs: number
}

/** Does work step by step for as long as there is some, one step at a time however often it is asked to. */
export class WorkLoop {
  private readonly options: WorkLoopOptions
  private isRunning = false

  constructor(options: WorkLoopOptions) {
    this.options = options
  }

  /** There may be work. Resolves when there is none left, at once when the loop is running already. Never rejects. */
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
