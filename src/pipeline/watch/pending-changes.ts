import type { Uuid } from '../../kernel/ids.ts'

/** When each id was notified; null when only the log named it. */
export type ChangeBatch = ReadonlyMap<Uuid, number | null>

const BATCH = 500
/** Further ids are dropped, since the log has them. */
export const HEARD_MOST = 10_000

export class PendingChanges {
  private readonly heard = new Map<Uuid, number>()
  private readonly named = new Set<Uuid>()

  get hasHeard(): boolean {
    return this.heard.size > 0
  }

  get hasNamed(): boolean {
    return this.named.size > 0
  }

  count(): number {
    let namedAlone = 0
    for (const id of this.named) if (!this.heard.has(id)) namedAlone += 1
    return this.heard.size + namedAlone
  }

  hear(ids: readonly Uuid[], atMs: number): void {
    for (const id of ids) if (this.heard.size < HEARD_MOST && !this.heard.has(id)) this.heard.set(id, atMs)
  }

  name(ids: Iterable<Uuid>): void {
    for (const id of ids) this.named.add(id)
  }

  nextBatch(): ChangeBatch {
    const batch = new Map<Uuid, number | null>()
    for (const [id, heardAtMs] of this.heard) {
      if (batch.size === BATCH) break
      batch.set(id, heardAtMs)
      this.heard.delete(id)
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
    for (const [id, heardAtMs] of batch) {
      if (heardAtMs === null || underWay) this.named.add(id)
      if (heardAtMs !== null && !this.heard.has(id)) this.heard.set(id, heardAtMs)
    }
  }
}
