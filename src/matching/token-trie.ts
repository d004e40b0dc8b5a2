import { sharedInt32 } from './memory.ts'
import { joined } from './text-scan.ts'

/** Nothing is known under this path. */
export const NONE = -1

/**
 * The bits of a payload that count the longer paths. Where there were as many as this it is not counted any more: such
 * a node stays, in rebuilt tables and in snapshots too, for eight bytes and a bit of the filter, until an index is made
 * from its keywords.
 */
export const MANY = 7

/**
 * Every prefix of every path of token hashes in one open-addressing table. A slot is a pair: the hash of the prefix (0
 * in a free slot) and its payload, the head of the list of what ends here, an odd number, plus 1 above three bits that
 * count the longer paths that go through. Two paths with one hash share a slot and a list; who reads the list compares
 * the texts.
 *
 * A filter, small enough to stay in or near the cache, is what paths are followed by: one word of it says whether a
 * term may end at a hash and whether longer paths may go through it, two bits each. So the table is looked into only
 * where a term is likely to end; a filter that says yes too often costs time and nothing else.
 *
 * This is what a reader needs; growing-trie.ts changes it.
 */
export class TokenTrie {
  table: Int32Array
  filter: Int32Array
  /** Slots minus one. */
  mask: number
  filterShift: number

  /** A trie of so many slots, a power of two. */
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

  /** The same for a path of `depth` tokens; `first` is the hash of its first token. */
  headOfPath(first: number, path: Int32Array, depth: number): number {
    return this.head(hashOfPath(first, path, depth))
  }

  /** The slot of an existing path. */
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

/**
 * Eight bits a slot: nine to nineteen for each hash, fewer once hashes have come and gone, whose bits stay until the
 * next rebuild.
 */
export function filterWords(slots: number): number {
  return Math.max(32, slots / 4)
}

/** How far a hash is shifted to give the number of its word in the filter. */
export function shiftOf(slots: number): number {
  return 32 - Math.log2(filterWords(slots))
}

// Which bits of its word belong to a hash is said by its low ten bits, which have no part in the number of the word,
// unless there are more than sixteen million slots. Shifts look at the low five bits of what they are given.

/** Odd when a term may end at a path with this hash, by its word of the filter; even when none does. */
export function mayEnd(word: number, hash: number): number {
  return (word >>> hash) & (word >>> (hash >>> 5))
}

/** The same word as `mayEnd` wants it to say whether longer paths may go through. */
export function turned(word: number): number {
  return (word >>> 16) | (word << 16)
}

/** What a word of the filter holds of a path that ends a term, and `turned` of one that longer paths go through. */
export function bitsOf(hash: number): number {
  return (1 << hash) | (1 << (hash >>> 5))
}
