/**
 * Lets callers wait until something holds, and looks again whenever it is told of a change. Callers that compete for
 * what they wait for have to check again when they go on: another one may have been faster.
 */
export class Condition {
  private waiting: (() => void)[] = []

  /** Resolves when `holds` is true, or `signal` is aborted. */
  async until(holds: () => boolean, signal?: AbortSignal): Promise<void> {
    while (!holds() && !signal?.aborted) await this.change(signal)
  }

  /** What callers wait for may hold now. */
  notify(): void {
    const waiting = this.waiting
    if (waiting.length === 0) return
    this.waiting = []
    for (const resolve of waiting) resolve()
  }

  private async change(signal: AbortSignal | undefined): Promise<void> {
    let resolve: () => void = () => undefined
    const changed = new Promise<void>((done) => {
      resolve = done
    })
    this.waiting.push(resolve)
    signal?.addEventListener('abort', resolve, { once: true })
    await changed
    signal?.removeEventListener('abort', resolve)
    if (signal?.aborted) this.waiting = this.waiting.filter((other) => other !== resolve)
  }
}
