import { sharedInt32 } from './memory.ts'
import { joined } from './text-scan.ts'

export const NONE = -1

/**
 * The largest count of longer paths in a payload. Beyond, a node is never freed until the index is rebuilt from its
 * keywords, for eight bytes and a bit of the filter.
 */
export const MANY = 7

/**
 * All prefixes of all paths of token hashes in one open-addressing table. A slot is a pair: the hash of the prefix (0
 * when free) and a payload of the list head (an odd number, plus 1) above three bits that count longer paths. Paths
 * with equal hashes share a list; its reader compares the texts.
 *
 * Paths are followed by a filter that stays in or near the cache: two bits of a word each say whether a term may end at
 * a hash and whether longer paths may pass. False positives only cost time.
 *
 * This is the reader's part; growing-trie.ts changes it.
 */
export class TokenTrie {
  table: Int32Array
  filter: Int32Array
  mask: number
  filterShift: number

  /** `slots` is a power of two. */
  constructor(slots = 1024) {
    this.mask = slots - 1
    this.table = sharedInt32(2 * slots)
    this.filter = sharedInt32(filterWords(slots))
    this.filterShift = shiftOf(slots)
  }

  /** The head of the list at the end of the path with this hash, or NONE. */
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

/** The head of a list, or NONE, from the payload of its slot. */
export function headOf(payload: number): number {
  return ((payload >>> 2) & ~1) - 1
}

function hashOfPath(first: number, path: Int32Array, depth: number): number {
  let hash = first
  for (let next = 1; next < depth; next += 1) hash = joined(hash, path[next]!)
  return hash
}

/** Eight bits a slot: 9 to 19 for each hash, fewer after removals, whose bits stay until the next rebuild. */
export function filterWords(slots: number): number {
  return Math.max(32, slots / 4)
}

/** The shift from a hash to the number of its word in the filter. */
export function shiftOf(slots: number): number {
  return 32 - Math.log2(filterWords(slots))
}

// The low ten bits of a hash choose its bits; up to 16 million slots they have no part in the word's number. Shift
// operators use the low five bits of their operand.

/** Odd when a term may end at this hash, by its word of the filter. */
export function mayEnd(word: number, hash: number): number {
  return (word >>> hash) & (word >>> (hash >>> 5))
}

/** The word as `mayEnd` takes it for longer paths. */
export function turned(word: number): number {
  return (word >>> 16) | (word << 16)
}

/** The bits of a path that ends a term, and `turned` of one that longer paths pass. */
export function bitsOf(hash: number): number {
  return (1 << hash) | (1 << (hash >>> 5))
}
