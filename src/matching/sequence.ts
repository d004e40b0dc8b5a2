/**
 * A sequence lock between one writer and many readers. The writer increments the sequence before and after a change, so
 * it is odd during one. A reader notes an even number, reads, and retries when the number has changed. Readers write
 * nothing that the writer waits for, so a stopped reader cannot block it.
 *
 * A writer that never pauses would starve readers. So a reader that has failed a few times asks for a pause, and the
 * writer grants one of bounded length now and then.
 */

/** The cells of the control block. Counters of readers and writer lie in cache lines of their own. */
const SEQUENCE = 0
/** Published with the sequence: consistent when read under one even number. */
export const LAYOUT = 1
export const MASK = 2
export const SYMBOL_TERMS = 3
export const ADDRESS_TERMS = 4
export const SIZE = 5
const ASKED = 16
const SERVED = 32
const GRANTED = 48
/** The requested length of the next pause in milliseconds, for a text that took longer than a usual one. */
const WANTED_MS = 49
const CELLS = 64

/** Changes between two pauses, about half a millisecond: the writer gets most of the time. A power of two. */
const CHANGES_BETWEEN = 256
/** A pause ends when the readers that asked for it are done, at the latest after this. */
const PAUSE_MS = 2
const LONG_PAUSE_MS = 64

export function newControl(): SharedArrayBuffer {
  return new SharedArrayBuffer(4 * CELLS)
}

export class Writing {
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
    // Read-modify-writes, because they are fences in both directions, which plain stores lack.
    Atomics.add(this.cells, SEQUENCE, 1)
  }

  end(): void {
    Atomics.add(this.cells, SEQUENCE, 1)
  }

  publishSlots(slots: number): void {
    this.cells[MASK] = slots - 1
  }

  /** Within a change: what readers need besides the arrays; `layout` changes when an array has grown. */
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

/** Failures before a reader asks for a pause. */
const QUICK_ATTEMPTS = 4
/** More than the longest pauses of a text can need; ends what would otherwise hang. */
const ATTEMPTS_MOST = 2000
/** Without a grant for this long the writer is idle, so the next attempt is as good as one in a pause. */
const GRANT_MS = 1
/** Spins on an odd number before sleeping: about 10 µs, in which nearly every change ends. */
const LOOKS = 20_000
/** The longest single sleep, and the longest total wait. */
const SLEEP_MS = 1
const PATIENCE_MS = 10_000

export class Reading {
  readonly cells: Int32Array
  /** A cell of this reader alone, always 0. */
  private readonly own = new Int32Array(new SharedArrayBuffer(4))
  private noted = 0
  private readonly patienceMs: number

  constructor(control: SharedArrayBuffer, patienceMs = PATIENCE_MS) {
    this.cells = new Int32Array(control)
    this.patienceMs = patienceMs
  }

  /** Returns the result of `read` on one consistent state. `read` must end and must not throw, whatever it reads. */
  consistent<Result>(read: () => Result): Result {
    for (let attempt = 0; attempt < QUICK_ATTEMPTS; attempt += 1) {
      this.note()
      const result = read()
      if (!this.isStale()) return result
    }
    return this.consistentInPause(read)
  }

  /** Whether the index has changed, or is changing, since this read began. */
  isStale(): boolean {
    // A read-modify-write, so that the loads before it are not moved behind the next load.
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
      // Nobody notifies this cell: the change may be long, and the writer must not pay for sleepers at each change.
      Atomics.wait(this.own, 0, 0, sleepMs)
      this.noted = Atomics.load(cells, SEQUENCE)
      if ((this.noted & 1) === 0) return
    }
    throw new Error('the thread that changes this index stopped in the middle of a change')
  }
}
