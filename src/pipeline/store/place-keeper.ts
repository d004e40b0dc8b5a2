import { type Clock, SECOND_MS } from '../../kernel/clock.ts'
import { Condition } from '../../kernel/concurrency/condition.ts'
import { WakeUp } from '../../kernel/concurrency/wake-up.ts'
import type { Cursor } from '../../sources/contract.ts'
import type { Database } from '../../store/database.ts'
import { holdLease, type SourceLease } from '../../store/source/source-leases.ts'
import { saveCursor } from '../../store/source/source-state.ts'

export interface KeeperOptions {
  db: Database
  clock: Clock
  lease: SourceLease
  /** The batch up to which every partition has stored all. */
  storedThrough(): number
  onSaved(batch: number): void
}

/** The place of the source behind a batch. */
interface Place {
  batch: number
  cursor: Cursor
  newestAt: Date | null
}

const SAVE_EVERY_MS = SECOND_MS

/** Moves the stored place of a source to what all of its partitions have stored. */
export class PlaceKeeper {
  private readonly options: KeeperOptions
  private readonly wakeUp: WakeUp
  private readonly moved = new Condition()
  /** Not saved yet, the oldest first. */
  private places: Place[] = []
  private saved = 0
  private wanted = 0

  constructor(options: KeeperOptions) {
    this.options = options
    this.wakeUp = new WakeUp(options.clock)
  }

  /** A batch with nothing to store is behind the place as soon as the one before it, and takes its turn. */
  note(place: Place, { isEmpty }: { isEmpty: boolean }): void {
    if (isEmpty) this.places.pop()
    this.places.push(place)
    // A source that never had a place gets one at once, or it would begin at a later present.
    if (this.saved === 0) this.wakeUp.wake()
  }

  /** A partition has stored something. */
  progress(): void {
    if (this.wanted > this.saved) this.wakeUp.wake()
  }

  /** Resolves when the stored place is behind the batch; rejects with the reason if `signal` is aborted before. */
  async reach(batch: number, signal: AbortSignal): Promise<void> {
    if (batch <= this.saved) return
    this.wanted = Math.max(this.wanted, batch)
    this.wakeUp.wake()
    await this.moved.until(() => this.saved >= batch, signal)
    signal.throwIfAborted()
  }

  /** Saves about once a second until `signal` is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.wakeUp.clear()
      await this.save()
      await this.wakeUp.sleep(SAVE_EVERY_MS, signal)
    }
  }

  async save(): Promise<void> {
    const { db, clock, lease, storedThrough, onSaved } = this.options
    const through = storedThrough()
    const place = this.places.findLast(({ batch }) => batch <= through)
    if (place === undefined) return
    await db.transaction(async (tx) => {
      await holdLease(tx, lease)
      await saveCursor(tx, lease.source, place.cursor, place.newestAt, clock.now())
    })
    this.places = this.places.filter(({ batch }) => batch > place.batch)
    this.saved = place.batch
    onSaved(place.batch)
    this.moved.notify()
  }
}
