import type { Uuid } from '../../kernel/ids.ts'

/** When each id was notified; null when only the log named it. */
export type ChangeBatch = ReadonlyMap<Uuid, number | null>

const BATCH = 500
/** Further ids are dropped, since the log has them. */
export const NOTIFIED_MAX = 10_000

export class PendingChanges {
  private readonly notified = new Map<Uuid, number>()
  private readonly named = new Set<Uuid>()

  get hasNotified(): boolean {
    return this.notified.size > 0
  }

  get hasNamed(): boolean {
    return this.named.size > 0
  }

  count(): number {
    let namedAlone = 0
    for (const id of this.named) if (!this.notified.has(id)) namedAlone += 1
    return this.notified.size + namedAlone
  }

  notify(ids: readonly Uuid[], atMs: number): void {
    for (const id of ids) if (this.notified.size < NOTIFIED_MAX && !this.notified.has(id)) this.notified.set(id, atMs)
  }

  name(ids: Iterable<Uuid>): void {
    for (const id of ids) this.named.add(id)
  }

  nextBatch(): ChangeBatch {
    const batch = new Map<Uuid, number | null>()
    for (const [id, notifiedAtMs] of this.notified) {
      if (batch.size === BATCH) break
      batch.set(id, notifiedAtMs)
      this.notified.delete(id)
      this.named.delete(id)
    }
    for (const id of this.named) {
      if (batch.size === BATCH) break
      batch.set(id, null)
      this.named.delete(id)
    }
    return batch
  }

  /**
   * Ids from the log must not be lost. Notified ids are in the log too, so they count as named while a log reading is
   * `underWay`.
   */
  putBack(batch: ChangeBatch, underWay: boolean): void {
    for (const [id, notifiedAtMs] of batch) {
      if (notifiedAtMs === null || underWay) this.named.add(id)
      if (notifiedAtMs !== null && !this.notified.has(id)) this.notified.set(id, notifiedAtMs)
    }
  }
}
