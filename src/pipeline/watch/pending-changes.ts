import type { Uuid } from '../../kernel/ids.ts'

/** Keywords that one statement asks for, and when each was heard of; null for one that only the log named. */
export type ChangeBatch = ReadonlyMap<Uuid, number | null>

/** How many keywords one statement asks for: what is heard of meanwhile waits for it. */
const BATCH = 500
/** More are not kept: they stand in the log. */
export const HEARD_MOST = 10_000

/** Ids of changed keywords that are not in the index yet: those heard of go first, then those that the log named. */
export class PendingChanges {
  /** Ids that were heard of, and when. */
  private readonly heard = new Map<Uuid, number>()
  /** What a reading of the log named. */
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
   * Puts ids back that could not be put in place. Those of the log must come back for sure; those heard of stand in it
   * too, so they count as named while a reading of the log is `underWay`.
   */
  putBack(batch: ChangeBatch, underWay: boolean): void {
    for (const [id, heardAtMs] of batch) {
      if (heardAtMs === null || underWay) this.named.add(id)
      if (heardAtMs !== null && !this.heard.has(id)) this.heard.set(id, heardAtMs)
    }
  }
}
