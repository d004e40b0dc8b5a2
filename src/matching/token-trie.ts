import { sharedInt32 } from './memory.ts'
import { joined } from './text-scan.ts'

export const NONE = -1

/**
 * The largest count of longer paths. Beyond, a node stays until the index is rebuilt from its keywords: eight bytes and
 * a bit of the filter.
 */
export const MANY = 7

/**
 * Prefixes of token hashes in open addressing. A slot: hash (0 when free); list head (odd) plus 1 above three bits that
 * count longer paths. Equal hashes share a list; its reader compares texts.
 *
 * A filter in or near the cache has two bits for the end of a term and two for longer paths. False positives only cost
 * time.
 */
export class TokenTrie {
  table: Int32Array
  filter: Int32Array
  mask: number
  filterShift: number

  /** A power of two. */
  constructor(slots = 1024) {
    this.mask = slots - 1
    this.table = sharedInt32(2 * slots)
    this.filter = sharedInt32(filterWords(slots))
    this.filterShift = shiftOf(slots)
  }

  head(hash: number): number {
    const slot = this.find(hash)
    return slot < 0 ? NONE : this.headAt(slot)
  }

  headOfPath(first: number, path: Int32Array, depth: number): number {
    return this.head(hashOfPath(first, path, depth))
  }

  slotOfPath(first: number, path: Int32Array, depth: number): number {
    return this.find(hashOfPath(first, path, depth))
  }

  headAt(slot: number): number {
    return headOf(this.table[2 * slot + 1]!)
  }

  protected find(hash: number): number {
    const { table, mask } = this
    let slot = hash & mask
    for (;;) {
      const key = table[2 * slot]!
      if (key === hash) return slot
      if (key === 0) return -1
      slot = (slot + 1) & mask
    }
  }
}

/** Or NONE. */
export function headOf(payload: number): number {
  return ((payload >>> 2) & ~1) - 1
}

function hashOfPath(first: number, path: Int32Array, depth: number): number {
  let hash = first
  for (let next = 1; next < depth; next += 1) hash = joined(hash, path[next]!)
  return hash
}

/** Eight bits a slot: 9 to 19 a hash, fewer after removals, whose bits stay until the next rebuild. */
export function filterWords(slots: number): number {
  return Math.max(32, slots / 4)
}

/** From a hash to its filter word. */
export function shiftOf(slots: number): number {
  return 32 - Math.log2(filterWords(slots))
}

// The low ten bits of a hash choose its bits, apart from the word's number up to 16 million slots. Shifts use the low
// five bits.

/** Odd when a term may end here. */
export function mayEnd(word: number, hash: number): number {
  return (word >>> hash) & (word >>> (hash >>> 5))
}

/** For longer paths. */
export function halvesSwapped(word: number): number {
  return (word >>> 16) | (word << 16)
}

export function bitsOf(hash: number): number {
  return (1 << hash) | (1 << (hash >>> 5))
}
