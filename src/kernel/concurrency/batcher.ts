import { setImmediate as nextTurn } from 'node:timers/promises'

const BATCH_MAX = 500
/** While so many items are in flight, the next batch grows: work for each few would cost more than what is done. */
const IN_FLIGHT_ENOUGH = 64

interface Waiting<Item, Result> {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/**
 * Does the work of all callers together that come within one turn of the event loop, or while enough is in flight.
 */
export class Batcher<Item, Result> {
  private readonly work: (batch: readonly Item[]) => Promise<readonly Result[]>
  private readonly waiting: Waiting<Item, Result>[] = []
  private inFlight = 0
  private isGathering = false

  /** `work` answers one result for each item, in the same order. */
  constructor(work: (batch: readonly Item[]) => Promise<readonly Result[]>) {
    this.work = work
  }

  /** Resolves with the result for this item; rejects when the batch that it was in fails. */
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
