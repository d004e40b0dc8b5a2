import { enlargedInt32, sharedInt32, stayingInt32 } from './memory.ts'
import type { SequenceWriting } from './sequence.ts'
import { joined } from './text-scan.ts'
import { bitsOf, filterWords, halvesSwapped, headOf, MANY, NONE, shiftOf, TokenTrie } from './token-trie.ts'

/** Long probes are rare even so full: the filter rules out nearly all failing searches. */
const LOAD_MOST = 0.85
const LOAD_AFTER_REBUILD = 0.45
/** Announced inserts need less spare room. */
const LOAD_ANNOUNCED = 0.6

const LINE_SLOTS = 8

interface Rebuilt {
  slots: number
  used: number
  table: Int32Array
  filter: Int32Array
}

/** Room is made before paths are added, because readers wait while a table is replaced. */
export class GrowingTrie extends TokenTrie {
  /** Slots with a hash, including unused ones. */
  used = 0
  private writing: SequenceWriting | null = null

  get bytes(): number {
    return this.table.byteLength + this.filter.byteLength
  }

  setHeadAt(slot: number, head: number): void {
    this.table[2 * slot + 1] = ((head + 1) << 2) | (this.table[2 * slot + 1]! & MANY)
  }

  /** Adds one use; room must exist. Returns the slot. */
  add(first: number, path: Int32Array, depth: number): number {
    let hash = first
    for (let next = 1; next < depth; next += 1) {
      const slot = this.insert(hash)
      if ((this.table[2 * slot + 1]! & MANY) < MANY) this.table[2 * slot + 1]! += 1
      this.filter[hash >>> this.filterShift]! |= halvesSwapped(bitsOf(hash))
      hash = joined(hash, path[next]!)
    }
    this.filter[hash >>> this.filterShift]! |= bitsOf(hash)
    return this.insert(hash)
  }

  /** The caller has set the head before. */
  remove(first: number, path: Int32Array, depth: number): void {
    let hash = first
    for (let next = 1; next < depth; next += 1) {
      const slot = this.find(hash)
      if ((this.table[2 * slot + 1]! & MANY) < MANY) this.table[2 * slot + 1]! -= 1
      hash = joined(hash, path[next]!)
    }
  }

  fetch(first: number, path: Int32Array, depth: number): number {
    const { filter, filterShift } = this
    let hash = first
    let sum = this.fetchSlots(hash) ^ filter[hash >>> filterShift]!
    for (let next = 1; next < depth; next += 1) {
      hash = joined(hash, path[next]!)
      sum ^= this.fetchSlots(hash) ^ filter[hash >>> filterShift]!
    }
    return sum
  }

  /** Every other search of a full table reaches the next cache line. */
  private fetchSlots(hash: number): number {
    const { table, mask } = this
    return table[2 * (hash & mask)]! ^ table[2 * ((hash + LINE_SLOTS) & mask)]!
  }

  /** Not within a change: it may be one itself. */
  makeRoom(hashes: number): void {
    if (this.used + hashes > LOAD_MOST * (this.mask + 1)) this.replace(this.rebuilt(hashes, LOAD_AFTER_REBUILD))
  }

  reserve(hashes: number): void {
    if (this.used + hashes > LOAD_ANNOUNCED * (this.mask + 1)) this.replace(this.rebuilt(hashes, LOAD_ANNOUNCED))
  }

  /** Arrays that other threads read no longer move. */
  share(writing: SequenceWriting): void {
    this.table = stayingInt32(this.table)
    this.filter = stayingInt32(this.filter)
    this.writing = writing
  }

  load(table: Int32Array, filter: Int32Array, used: number): void {
    this.table = table
    this.filter = filter
    this.used = used
    this.mask = table.length / 2 - 1
    this.filterShift = shiftOf(table.length / 2)
  }

  private insert(hash: number): number {
    const { table, mask } = this
    let slot = hash & mask
    let reusable = -1
    for (;;) {
      const key = table[2 * slot]!
      if (key === hash) return slot
      if (key === 0) break
      if (reusable < 0 && table[2 * slot + 1] === 0) reusable = slot
      slot = (slot + 1) & mask
    }
    if (reusable < 0) this.used += 1
    else slot = reusable
    table[2 * slot] = hash
    return slot
  }

  private rebuilt(more: number, load: number): Rebuilt {
    const { table, mask } = this
    let used = 0
    for (let slot = 0; slot <= mask; slot += 1) if (table[2 * slot + 1] !== 0) used += 1
    let slots = mask + 1
    while (used + more > load * slots) slots *= 2
    const isShared = this.writing !== null
    const rebuilt: Rebuilt = {
      slots,
      used,
      // Copied into shared memory, so not shared itself.
      table: isShared ? new Int32Array(2 * slots) : sharedInt32(2 * slots),
      filter: isShared ? new Int32Array(filterWords(slots)) : sharedInt32(filterWords(slots)),
    }
    const shift = shiftOf(slots)
    for (let slot = 0; slot <= mask; slot += 1) {
      if (table[2 * slot + 1] === 0) continue
      const hash = table[2 * slot]!
      let moved = hash & (slots - 1)
      while (rebuilt.table[2 * moved] !== 0) moved = (moved + 1) & (slots - 1)
      rebuilt.table[2 * moved] = hash
      const payload = table[2 * slot + 1]!
      rebuilt.table[2 * moved + 1] = payload
      const bits = bitsOf(hash)
      rebuilt.filter[hash >>> shift]! |=
        (headOf(payload) === NONE ? 0 : bits) | ((payload & MANY) === 0 ? 0 : halvesSwapped(bits))
    }
    return rebuilt
  }

  private replace(rebuilt: Rebuilt): void {
    const { writing } = this
    this.used = rebuilt.used
    if (writing === null) {
      this.table = rebuilt.table
      this.filter = rebuilt.filter
    } else {
      this.copy(rebuilt, writing)
    }
    this.mask = rebuilt.slots - 1
    this.filterShift = shiftOf(rebuilt.slots)
  }

  /** What readers do not see is copied before the change, to shorten their wait. */
  private copy({ slots, table, filter }: Rebuilt, writing: SequenceWriting): void {
    const read = this.table.length
    this.table = enlargedInt32(this.table, 2 * slots)
    this.filter = enlargedInt32(this.filter, filterWords(slots))
    this.table.set(table.subarray(read), read)
    writing.begin()
    this.table.set(table.subarray(0, read))
    this.filter.set(filter)
    writing.publishSlots(slots)
    writing.end()
  }
}
