import { setImmediate as nextTurn } from 'node:timers/promises'

const BATCH_MAX = 500
/** With this many items in flight the next batch keeps growing: small batches cost more than their work. */
const IN_FLIGHT_ENOUGH = 64

interface Waiting<Item, Result> {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/** Collects the calls of one event loop turn, or made while enough items are in flight. */
export class Batcher<Item, Result> {
  private readonly work: (batch: readonly Item[]) => Promise<readonly Result[]>
  private readonly waiting: Waiting<Item, Result>[] = []
  private inFlight = 0
  private isGathering = false

  /** `work` returns one result per item, in order. */
  constructor(work: (batch: readonly Item[]) => Promise<readonly Result[]>) {
    this.work = work
  }

  /** Rejects when the batch of the item fails. */
  run(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject })
      this.begin()
    })
  }

  private begin(): void {
    if (this.waiting.length > 0 && !this.isGathering && this.inFlight < IN_FLIGHT_ENOUGH) void this.runNext()
  }

  private async runNext(): Promise<void> {
    this.isGathering = true
    await nextTurn()
    this.isGathering = false
    const batch = this.waiting.splice(0, BATCH_MAX)
    this.inFlight += batch.length
    this.begin()
    await this.work(batch.map(({ item }) => item)).then(
      (results) => batch.forEach(({ resolve }, at) => void resolve(results[at]!)),
      (error) => batch.forEach(({ reject }) => void reject(error)),
    )
    this.inFlight -= batch.length
    this.begin()
  }
}
