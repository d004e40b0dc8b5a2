/** Waits until a predicate holds. Callers that compete must check again on waking: another may have been faster. */
export class Condition {
  private waiting: (() => void)[] = []

  /** Resolves also when `signal` is aborted. */
  async until(holds: () => boolean, signal?: AbortSignal): Promise<void> {
    while (!holds() && !signal?.aborted) await this.change(signal)
  }

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
