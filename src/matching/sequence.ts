/**
 * How one thread changes what others read at the same time. The writer counts a sequence number up before a change and
 * after it, so it is odd while something changes. A reader notes an even number, reads, and reads again when the number
 * is another one by then. Readers write nothing that the writer has to wait for, so none can hold it up by stopping.
 *
 * A writer that changes without pause would let nobody finish. A reader that has failed a few times therefore asks for
 * a pause, and the writer grants one now and then, of bounded length.
 */

/** The cells of the control block. What readers and the writer count lies in cache lines of its own. */
const SEQUENCE = 0
/** What belongs to the sequence: whoever reads it under an even number reads what goes together. */
export const LAYOUT = 1
export const MASK = 2
export const SYMBOL_TERMS = 3
export const ADDRESS_TERMS = 4
export const SIZE = 5
const ASKED = 16
const SERVED = 32
const GRANTED = 48
/** How long the next pause should be at the most, in milliseconds, for a text that a usual one was too short for. */
const WANTED_MS = 49
const CELLS = 64

/**
 * Changes between two pauses, about half a millisecond's worth: a writer with much to change gets most of the time. A
 * power of two.
 */
const CHANGES_BETWEEN = 256
/**
 * A pause ends as soon as those that asked have read. Otherwise, as when one of them was stopped, it ends after this.
 */
const PAUSE_MS = 2
const LONG_PAUSE_MS = 64

export function newControl(): SharedArrayBuffer {
  return new SharedArrayBuffer(4 * CELLS)
}

export class Writing {
  readonly cells: Int32Array
  private changes = 0
  private granted = 0
  /** Readers that asked and never said that they were done. */
  private lost = 0

  constructor(control: SharedArrayBuffer) {
    this.cells = new Int32Array(control)
  }

  begin(): void {
    this.changes += 1
    if ((this.changes & (CHANGES_BETWEEN - 1)) === 0 && Atomics.load(this.cells, ASKED) !== this.granted) this.pause()
    // Both steps are read-modify-writes because these are fences in both directions, which plain stores need around
    // them.
    Atomics.add(this.cells, SEQUENCE, 1)
  }

  end(): void {
    Atomics.add(this.cells, SEQUENCE, 1)
  }

  /** Within a change: the number of slots of the trie. */
  publishSlots(slots: number): void {
    this.cells[MASK] = slots - 1
  }

  /**
   * Within a change: what readers need to know besides the arrays; `layout` is another number when an array has grown.
   */
  publish(layout: number, symbolTerms: number, addressTerms: number, size: number): void {
    const { cells } = this
    cells[LAYOUT] = layout
    cells[SYMBOL_TERMS] = symbolTerms
    cells[ADDRESS_TERMS] = addressTerms
    cells[SIZE] = size
  }

  /** Lets those that have asked finish one text each. */
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

/** Failures before a pause is asked for. */
const QUICK_ATTEMPTS = 4
/** More than the longest pauses a text can need; meant to end what would otherwise hang. */
const ATTEMPTS_MOST = 2000
/** Without a grant for this long the writer has stopped changing, so the next attempt is as good as one in a pause. */
const GRANT_MS = 1
/**
 * Looks at an odd number before the thread goes to sleep: some ten microseconds, in which nearly every change is done.
 */
const LOOKS = 20_000
/** How long it sleeps at a time at the most, and for how long it goes on with that. */
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

  /** Answers what `read` answers, which must end and must not throw whatever it reads, from one state of the index. */
  consistent<Result>(read: () => Result): Result {
    for (let attempt = 0; attempt < QUICK_ATTEMPTS; attempt += 1) {
      this.note()
      const result = read()
      if (!this.isStale()) return result
    }
    return this.consistentInPause(read)
  }

  /** Whether something has changed, or is changing, since the present read began. */
  isStale(): boolean {
    // A read-modify-write keeps the loads of the read before it from being done after the next one.
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

  /** Waits for an even number. */
  private note(): void {
    const { cells } = this
    for (let look = 0; look < LOOKS; look += 1) {
      this.noted = Atomics.load(cells, SEQUENCE)
      if ((this.noted & 1) === 0) return
    }
    let sleepMs = 0.05
    for (let slept = 0; slept < this.patienceMs; slept += sleepMs) {
      sleepMs = Math.min(SLEEP_MS, 2 * sleepMs)
      // Nobody wakes this cell: the change may be long, and the writer shall not have to think of sleepers at each.
      Atomics.wait(this.own, 0, 0, sleepMs)
      this.noted = Atomics.load(cells, SEQUENCE)
      if ((this.noted & 1) === 0) return
    }
    throw new Error('the thread that changes this index stopped in the middle of a change')
  }
}
