import { sharedInt32, sharedUint8 } from './memory.ts'
import { joined } from './text-scan.ts'

/** Nothing is known under this path. */
export const NONE = -1
const LOAD_MOST = 0.7
const LOAD_AFTER_REBUILD = 0.45
/** A count of paths that reached this is not counted any more: such a node stays. */
const MANY = 255

/**
 * Every prefix of every path of token hashes in one open-addressing table. A slot is a pair: the hash of the prefix
 * (0 in a free slot) and its payload, the head of the list of what ends here (plus 1) above one bit that says whether
 * longer paths go through. Two paths with one hash share a slot and a list; who reads the list compares the texts.
 *
 * A filter of one bit for each hash, small enough to stay in the cache, answers most look-ups that find nothing.
 */
export class TokenTrie {
  table: Int32Array
  filter: Int32Array
  /** Slots minus one. */
  mask: number
  filterShift: number
  /** Of each slot: how many longer paths go through it. */
  private through: Uint8Array
  /** Slots whose hash is set, and those of them that nothing uses any more. */
  private used = 0

  constructor(slots = 1024) {
    this.mask = slots - 1
    this.table = sharedInt32(2 * slots)
    this.through = sharedUint8(slots)
    this.filter = sharedInt32(filterWords(slots))
    this.filterShift = 32 - Math.log2(32 * this.filter.length)
  }

  get bytes(): number {
    return this.table.byteLength + this.through.byteLength + this.filter.byteLength
  }

  /** The head of the list at the end of the path with this hash, or NONE. */
  head(hash: number): number {
    const slot = this.find(hash)
    return slot < 0 ? NONE : this.headAt(slot)
  }

  /** The same for a path of `depth` tokens; `first` is the hash of its first token. */
  headOfPath(first: number, path: Int32Array, depth: number): number {
    return this.head(hashOfPath(first, path, depth))
  }

  /** The slot of an existing path. */
  slotOfPath(first: number, path: Int32Array, depth: number): number {
    return this.find(hashOfPath(first, path, depth))
  }

  headAt(slot: number): number {
    return (this.table[2 * slot + 1]! >>> 1) - 1
  }

  setHeadAt(slot: number, head: number): void {
    this.table[2 * slot + 1] = ((head + 1) << 1) | (this.table[2 * slot + 1]! & 1)
  }

  /** Adds one use of a path: its prefixes exist afterwards. Answers its slot, which holds good until the next path is added. */
  add(first: number, path: Int32Array, depth: number): number {
    if (this.used + depth > LOAD_MOST * (this.mask + 1)) this.rebuild(depth)
    let hash = first
    for (let next = 1; next < depth; next += 1) {
      const slot = this.insert(hash)
      if (this.through[slot]! < MANY) this.through[slot]! += 1
      this.table[2 * slot + 1]! |= 1
      hash = joined(hash, path[next]!)
    }
    return this.insert(hash)
  }

  /** Takes one use of a path away. The head of its list has been set before. */
  remove(first: number, path: Int32Array, depth: number): void {
    let hash = first
    for (let next = 1; next < depth; next += 1) {
      const slot = this.find(hash)
      if (this.through[slot]! < MANY) {
        this.through[slot]! -= 1
        if (this.through[slot] === 0) this.table[2 * slot + 1]! &= ~1
      }
      hash = joined(hash, path[next]!)
    }
  }

  /** Reads where a path and its prefixes would be found, all at the same time, to have them in the cache when they are looked up. */
  fetch(first: number, path: Int32Array, depth: number): number {
    const { table, through, mask, filter, filterShift } = this
    let hash = first
    let sum = table[2 * (hash & mask)]! ^ filter[(hash >>> filterShift) >>> 5]!
    for (let next = 1; next < depth; next += 1) {
      sum ^= through[hash & mask]!
      hash = joined(hash, path[next]!)
      sum ^= table[2 * (hash & mask)]! ^ filter[(hash >>> filterShift) >>> 5]!
    }
    return sum
  }

  /** Makes room for this many more paths. */
  reserve(paths: number): void {
    if (this.used + paths > LOAD_MOST * (this.mask + 1)) this.rebuild(paths)
  }

  private find(hash: number): number {
    const { table, mask } = this
    let slot = hash & mask
    for (;;) {
      const key = table[2 * slot]!
      if (key === hash) return slot
      if (key === 0) return -1
      slot = (slot + 1) & mask
    }
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
    this.note(hash)
    return slot
  }

  private note(hash: number): void {
    const bit = hash >>> this.filterShift
    this.filter[bit >>> 5]! |= 1 << (bit & 31)
  }

  /** Moves what is alive into a table with room for `more` paths. */
  private rebuild(more: number): void {
    const { table, through } = this
    let alive = 0
    for (let slot = 0; slot < through.length; slot += 1) if (table[2 * slot + 1] !== 0) alive += 1
    let slots = through.length
    while (alive + more > LOAD_AFTER_REBUILD * slots) slots *= 2
    this.mask = slots - 1
    this.table = sharedInt32(2 * slots)
    this.through = sharedUint8(slots)
    this.filter = sharedInt32(filterWords(slots))
    this.filterShift = 32 - Math.log2(32 * this.filter.length)
    this.used = 0
    for (let slot = 0; slot < through.length; slot += 1) {
      if (table[2 * slot + 1] === 0) continue
      const moved = this.insert(table[2 * slot]!)
      this.table[2 * moved + 1] = table[2 * slot + 1]!
      this.through[moved] = through[slot]!
    }
  }
}

function hashOfPath(first: number, path: Int32Array, depth: number): number {
  let hash = first
  for (let next = 1; next < depth; next += 1) hash = joined(hash, path[next]!)
  return hash
}

/** Four bits a slot: eight to twelve for each hash. */
function filterWords(slots: number): number {
  return Math.max(32, slots / 8)
}
