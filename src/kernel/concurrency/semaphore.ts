import { Condition } from './condition.ts'

/** As much work waits for a permit as may. */
export class QueueFull extends Error {}

/** First come, first served. */
export class Semaphore {
  private readonly waiting: (() => void)[] = []
  private readonly freed = new Condition()
  private readonly permits: number
  private readonly waitingMax: number
  private free: number

  constructor(permits: number, waitingMax = Number.POSITIVE_INFINITY) {
    this.permits = permits
    this.waitingMax = waitingMax
    this.free = permits
  }

  /** Rejects with `QueueFull` before `work` begins when `waitingMax` wait already. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.free > 0) this.free -= 1
    else await this.wait()
    try {
      return await work()
    } finally {
      this.release()
    }
  }

  /** Resolves when `work` has begun; `work` must not reject. */
  async start(work: () => Promise<void>): Promise<void> {
    if (this.free > 0) this.free -= 1
    else await this.wait()
    void work().then(() => this.release())
  }

  /** Resolves when nothing runs or waits. */
  async idle(): Promise<void> {
    await this.freed.until(() => this.free === this.permits)
  }

  private async wait(): Promise<void> {
    if (this.waiting.length >= this.waitingMax) throw new QueueFull('too much work waits for a permit')
    await new Promise<void>((resolve) => this.waiting.push(resolve))
  }

  private release(): void {
    const next = this.waiting.shift()
    if (next) next()
    else {
      this.free += 1
      this.freed.notify()
    }
  }
}
