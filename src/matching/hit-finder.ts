import * as classes from './character-classes.ts'
import { FOLDED, PLAIN } from './characters.ts'
import { doubled } from './memory.ts'
import { standsAt, symbolHash } from './phrase.ts'
import * as flags from './phrase-flags.ts'
import type { PreparedText } from './prepared-text.ts'
import type { TermIndex } from './term-index.ts'
import * as layout from './term-index.ts'
import { joined, type TextScan } from './text-scan.ts'
import { halvesSwapped, headOf, mayEnd } from './token-trie.ts'

// Copied for speed: see characters.ts.
const { HANGUL, LETTER, PICTURE, SOLO } = classes
const { CASED } = flags
const { LINK_SALT, salted, TERM_HEAD, TERM_NEXT, TERM_PACKED, TERM_TEXT } = layout
const NONE = -1
/** Bounds memory: a repeated word with terms of every length has length times terms of ends. */
const ENDS_NOTED = 1 << 14
/**
 * A larger filter (4 MB) exceeds a core's cache and is prefetched in a loop of its own; the main loop is too long to
 * overlap its reads.
 */
const NEAR_WORDS = 1 << 20

/**
 * Follows all paths of a text level by level through the filter, then looks up possible ends, then compares. Each step
 * reads independent places in parallel; path by path, every read would wait.
 */
export class HitFinder {
  /** Distinct; the first `count` numbers. */
  hits: Int32Array = new Int32Array(256)
  count = 0
  private readonly index: TermIndex
  private starts: Int32Array = new Int32Array(1024)
  private paths: Int32Array = new Int32Array(1024)
  private endStarts: Int32Array = new Int32Array(1024)
  private ends: Int32Array = new Int32Array(1024)
  private ended = 0
  /** The term plus 1. */
  private seen: Int32Array = new Int32Array(1024)

  constructor(index: TermIndex) {
    this.index = index
  }

  find(prepared: PreparedText): number {
    this.forget()
    const { index } = this
    const { scan } = prepared.body
    this.follow(scan, 0)
    if (index.symbols > 0) this.walkSymbols(scan)
    if (index.addresses > 0 && prepared.hasLinks) this.follow(prepared.links.scan, LINK_SALT)
    return this.count
  }

  private follow(scan: TextScan, salt: number): void {
    let alive = this.start(scan, salt)
    for (let depth = 1; alive > 0; depth += 1) {
      if (this.ended > ENDS_NOTED) this.settle(scan)
      alive = this.extend(scan, alive, depth)
    }
    this.settle(scan)
  }

  private settle(scan: TextScan): void {
    const found = this.lookUp(this.ended)
    this.fetch(found)
    this.checkAll(scan, found)
    this.ended = 0
  }

  /** Branch-free, because branches are unpredictable: a value counts when its counter is incremented. */
  private start(scan: TextScan, salt: number): number {
    const { filter, filterShift } = this.index.trie
    const { count, hashes } = scan
    this.reserve(count)
    const { starts, paths, endStarts, ends } = this
    if (filter.length > NEAR_WORDS) {
      let sum = 0
      for (let token = 0; token < count; token += 1) sum ^= filter[salted(hashes[token]!, salt) >>> filterShift]!
      this.touched = sum
    }
    let ended = 0
    let found = 0
    for (let token = 0; token < count; token += 1) {
      const hash = salted(hashes[token]!, salt)
      const word = filter[hash >>> filterShift]!
      endStarts[ended] = token
      ends[ended] = hash
      ended += mayEnd(word, hash) & 1
      starts[found] = token
      paths[found] = hash
      found += mayEnd(halvesSwapped(word), hash) & 1
    }
    this.ended = ended
    return found
  }

  private extend(scan: TextScan, count: number, depth: number): number {
    const { filter, filterShift } = this.index.trie
    this.reserve(this.ended + count)
    const { starts, paths, endStarts, ends } = this
    const { hashes } = scan
    const last = scan.count - depth
    let { ended } = this
    let found = 0
    if (filter.length > NEAR_WORDS) {
      let sum = 0
      for (let at = 0; at < count; at += 1)
        sum ^= filter[joined(paths[at]!, hashes[starts[at]! + depth]!) >>> filterShift]!
      this.touched = sum
    }
    for (let at = 0; at < count; at += 1) {
      const start = starts[at]!
      const goesOn = (start - last) >>> 31
      const hash = joined(paths[at]!, hashes[start + depth]!)
      const word = filter[hash >>> filterShift]!
      endStarts[ended] = start
      ends[ended] = hash
      ended += mayEnd(word, hash) & goesOn
      starts[found] = start
      paths[found] = hash
      found += mayEnd(halvesSwapped(word), hash) & goesOn
    }
    this.ended = ended
    return found
  }

  private lookUp(count: number): number {
    const { table, mask } = this.index.trie
    const { endStarts, ends } = this
    let sum = 0
    for (let at = 0; at < count; at += 1) sum ^= table[(ends[at]! & mask) << 1]!
    let found = 0
    for (let at = 0; at < count; at += 1) {
      const hash = ends[at]!
      let place = (hash & mask) << 1
      let key = table[place]!
      while (key !== hash && key !== 0) {
        place = (place + 2) & (2 * mask + 1)
        key = table[place]!
      }
      const head = headOf(table[place + 1]!)
      endStarts[found] = endStarts[at]!
      ends[found] = head
      found += head === NONE ? 0 : 1
    }
    this.touched = sum
    return found
  }

  private fetch(count: number): void {
    const { arena } = this.index
    const { ends } = this
    let sum = 0
    for (let at = 0; at < count; at += 1) {
      const term = ends[at]!
      sum ^= arena[term]! ^ arena[term + 8]!
    }
    this.touched ^= sum
  }

  /** Keeps prefetches from being optimised away. */
  touched = 0

  private checkAll(scan: TextScan, count: number): void {
    const { endStarts, ends } = this
    for (let at = 0; at < count; at += 1) this.check(scan, endStarts[at]!, scan.starts[endStarts[at]!]!, ends[at]!)
  }

  /** These may stand wherever no token is. */
  private walkSymbols(scan: TextScan): void {
    const { units, end } = scan
    const { trie } = this.index
    for (let at = 1; at < end; at += 1) {
      const entry = FOLDED[units[at]!]!
      if ((entry & (LETTER | HANGUL | SOLO | PICTURE)) !== 0) continue
      const first = symbolHash(entry & 0xffff)
      this.check(scan, NONE, at, trie.head(first))
      this.check(scan, NONE, at, trie.head(joined(first, symbolHash(FOLDED[units[at + 1]!]! & 0xffff))))
    }
  }

  private check(scan: TextScan, token: number, at: number, head: number): void {
    const { arena, characters } = this.index
    // Not `!== NONE`: behind the old end of an arena that another thread grew, reads are undefined.
    for (let term = head; term > NONE; term = arena[term + TERM_NEXT]!) {
      const packed = arena[term + TERM_PACKED]!
      const first = arena[term + TERM_HEAD]!
      const hit = first < NONE ? -2 - first : term
      if (this.isSeen(hit)) continue
      const text = 2 * (term + TERM_TEXT)
      const stands =
        (packed & CASED) === 0
          ? standsAt(scan.units, FOLDED, at, characters, text, packed)
          : casedStandsAt(scan, token, characters, text, packed)
      if (stands) this.note(hit)
    }
  }

  private isSeen(term: number): boolean {
    const { seen } = this
    const mask = seen.length - 1
    for (let slot = placeOf(term) & mask; seen[slot] !== 0; slot = (slot + 1) & mask)
      if (seen[slot] === term + 1) return true
    return false
  }

  private note(term: number): void {
    if (this.count === this.hits.length) this.hits = doubled(this.hits)
    this.hits[this.count] = term
    this.count += 1
    if (2 * this.count > this.seen.length) this.spread()
    else this.mark(term)
  }

  private mark(term: number): void {
    const { seen } = this
    const mask = seen.length - 1
    let slot = placeOf(term) & mask
    while (seen[slot] !== 0) slot = (slot + 1) & mask
    seen[slot] = term + 1
  }

  private spread(): void {
    this.seen = new Int32Array(2 * this.seen.length)
    for (let at = 0; at < this.count; at += 1) this.mark(this.hits[at]!)
  }

  /** Clearing the whole set costs more than most texts. */
  private forget(): void {
    const { seen, hits } = this
    const mask = seen.length - 1
    for (let at = 0; at < this.count; at += 1) {
      for (let slot = placeOf(hits[at]!) & mask; seen[slot] !== 0; slot = (slot + 1) & mask) seen[slot] = 0
    }
    this.count = 0
  }

  /** One path may be written beyond those that count. */
  private reserve(count: number): void {
    if (count < this.ends.length) return
    const capacity = Math.max(count + 1, 2 * this.ends.length)
    this.starts = widened(this.starts, capacity)
    this.paths = widened(this.paths, capacity)
    this.endStarts = widened(this.endStarts, capacity)
    this.ends = widened(this.ends, capacity)
  }
}

function widened(array: Int32Array, length: number): Int32Array {
  const wide = new Int32Array(length)
  wide.set(array)
  return wide
}

function placeOf(term: number): number {
  return Math.imul(term, 0x9e3779b1) >>> 16
}

function casedStandsAt(scan: TextScan, token: number, characters: Uint16Array, text: number, packed: number): boolean {
  const exact = scan.exact()
  return standsAt(exact.units, PLAIN, exact.starts[token]!, characters, text, packed)
}
