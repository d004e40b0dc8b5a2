/**
 * A sequence lock. The writer makes the sequence odd during a change; a reader notes an even number, reads, and retries
 * when it changed. The writer waits for nothing that readers write, so a stopped reader cannot block it.
 *
 * To avoid starvation, a reader that has failed asks for a pause, which the writer grants now and then, bounded.
 */

/** Counters of readers and writer lie in cache lines of their own. */
const SEQUENCE = 0
/** Consistent when read under one even number. */
export const LAYOUT = 1
export const MASK = 2
export const SYMBOL_TERMS = 3
export const ADDRESS_TERMS = 4
export const SIZE = 5
const ASKED = 16
const SERVED = 32
const GRANTED = 48
/** Milliseconds of pause that a long text needs. */
const WANTED_MS = 49
const CELLS = 64

/** About half a millisecond. A power of two. */
const CHANGES_BETWEEN = 256
/** At most; a pause ends early when its readers are done. */
const PAUSE_MS = 2
const LONG_PAUSE_MS = 64

export function newControl(): SharedArrayBuffer {
  return new SharedArrayBuffer(4 * CELLS)
}

export class SequenceWriting {
  readonly cells: Int32Array
  private changes = 0
  private granted = 0
  /** Readers that asked for a pause and never reported back. */
  private lost = 0

  constructor(control: SharedArrayBuffer) {
    this.cells = new Int32Array(control)
  }

  begin(): void {
    this.changes += 1
    if ((this.changes & (CHANGES_BETWEEN - 1)) === 0 && Atomics.load(this.cells, ASKED) !== this.granted) this.pause()
    // Read-modify-writes are fences in both directions; plain stores are not.
    Atomics.add(this.cells, SEQUENCE, 1)
  }

  end(): void {
    Atomics.add(this.cells, SEQUENCE, 1)
  }

  publishSlots(slots: number): void {
    this.cells[MASK] = slots - 1
  }

  /** Within a change; `layout` changes when an array has grown. */
  publish(layout: number, symbolTerms: number, addressTerms: number, size: number): void {
    const { cells } = this
    cells[LAYOUT] = layout
    cells[SYMBOL_TERMS] = symbolTerms
    cells[ADDRESS_TERMS] = addressTerms
    cells[SIZE] = size
  }

  private pause(): void {
    const { cells } = this
    this.granted = Atomics.load(cells, ASKED)
    const limitMs = Math.min(LONG_PAUSE_MS, Math.max(PAUSE_MS, Atomics.exchange(cells, WANTED_MS, 0)))
    Atomics.add(cells, GRANTED, 1)
    Atomics.notify(cells, GRANTED)
    for (;;) {
      const served = Atomics.load(cells, SERVED)
      const unserved = (this.granted - served) | 0
      this.lost = Math.min(this.lost, unserved)
      if (unserved <= this.lost) return
      if (Atomics.wait(cells, SERVED, served, limitMs) !== 'timed-out') continue
      this.lost = unserved
      return
    }
  }
}

const QUICK_ATTEMPTS = 4
/** Beyond what any text needs; ends a hang. */
const ATTEMPTS_MOST = 2000
/** Without a grant for this long the writer is idle, so reading is as safe as in a pause. */
const GRANT_MS = 1
/** About 10 µs, in which nearly every change ends. */
const LOOKS = 20_000
/** The longest sleep and total wait. */
const SLEEP_MS = 1
const PATIENCE_MS = 10_000

export class SequenceReading {
  readonly cells: Int32Array
  /** Of this reader alone, always 0. */
  private readonly own = new Int32Array(new SharedArrayBuffer(4))
  private noted = 0
  private readonly patienceMs: number

  constructor(control: SharedArrayBuffer, patienceMs = PATIENCE_MS) {
    this.cells = new Int32Array(control)
    this.patienceMs = patienceMs
  }

  /** `read` must end and must not throw, whatever it reads. */
  consistent<Result>(read: () => Result): Result {
    for (let attempt = 0; attempt < QUICK_ATTEMPTS; attempt += 1) {
      this.note()
      const result = read()
      if (!this.isStale()) return result
    }
    return this.consistentInPause(read)
  }

  isStale(): boolean {
    // Keeps earlier loads from moving behind the next load.
    Atomics.add(this.own, 0, 0)
    return Atomics.load(this.cells, SEQUENCE) !== this.noted
  }

  private consistentInPause<Result>(read: () => Result): Result {
    const { cells } = this
    for (let attempt = 0; attempt < ATTEMPTS_MOST; attempt += 1) {
      const granted = Atomics.load(cells, GRANTED)
      if (attempt > 0) Atomics.store(cells, WANTED_MS, Math.min(LONG_PAUSE_MS, PAUSE_MS << Math.min(attempt, 8)))
      Atomics.add(cells, ASKED, 1)
      Atomics.wait(cells, GRANTED, granted, GRANT_MS)
      this.note()
      const result = read()
      const stale = this.isStale()
      Atomics.add(cells, SERVED, 1)
      Atomics.notify(cells, SERVED)
      if (!stale) return result
    }
    throw new Error(`the index changed during each of ${ATTEMPTS_MOST} attempts to read it`)
  }

  private note(): void {
    const { cells } = this
    for (let look = 0; look < LOOKS; look += 1) {
      this.noted = Atomics.load(cells, SEQUENCE)
      if ((this.noted & 1) === 0) return
    }
    let sleepMs = 0.05
    for (let slept = 0; slept < this.patienceMs; slept += sleepMs) {
      sleepMs = Math.min(SLEEP_MS, 2 * sleepMs)
      // Nobody notifies this cell: the writer must not pay for sleepers at each change.
      Atomics.wait(this.own, 0, 0, sleepMs)
      this.noted = Atomics.load(cells, SEQUENCE)
      if ((this.noted & 1) === 0) return
    }
    throw new Error('the thread that changes this index stopped in the middle of a change')
  }
}
