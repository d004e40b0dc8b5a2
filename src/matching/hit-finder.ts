import * as classes from './character-classes.ts'
import { FOLDED, PLAIN } from './characters.ts'
import { doubled } from './memory.ts'
import { standsAt, symbolHash } from './phrase.ts'
import * as flags from './phrase-flags.ts'
import type { PreparedText } from './prepared-text.ts'
import type { TermIndex } from './term-index.ts'
import * as layout from './term-index.ts'
import { joined, type TextScan } from './text-scan.ts'
import { headOf, mayEnd, turned } from './token-trie.ts'

// Copied for speed, as characters.ts explains.
const { HANGUL, LETTER, PICTURE, SOLO } = classes
const { CASED } = flags
const { LINK_SALT, salted, TERM_HEAD, TERM_NEXT, TERM_PACKED, TERM_TEXT } = layout
const NONE = -1
/**
 * Ends noted before they are looked up although paths go on: a text of one word, with terms of it in every length, has
 * their product.
 */
const ENDS_NOTED = 1 << 14
/**
 * Of a filter of more words than this (4 MB: more than a core has cache of its own) all that a step needs are read
 * first. The loop that weighs them is long, so that few of its reads would be under way at the same time; of a smaller
 * one they need not be.
 */
const NEAR_WORDS = 1 << 20

/**
 * Finds the terms of an index in text after text.
 *
 * All paths of a text are followed level by level through the filter alone; where a term may end is noted. What was
 * noted is then looked up in the table, and the terms found there are compared. So each step reads many places that do
 * not depend on each other, which the processor fetches at the same time; following one path to its end would wait for
 * each place in turn.
 */
export class HitFinder {
  /** The terms found in the last text, each once: the first `count` numbers. */
  hits: Int32Array = new Int32Array(256)
  count = 0
  private readonly index: TermIndex
  /** Of each path that is followed: the token it starts at, and its hash. */
  private starts: Int32Array = new Int32Array(1024)
  private paths: Int32Array = new Int32Array(1024)
  /** The same of each path at whose end a term may lie, then the head of the list there. */
  private endStarts: Int32Array = new Int32Array(1024)
  private ends: Int32Array = new Int32Array(1024)
  private ended = 0
  /** A small hash set of the hits: the term plus 1. */
  private seen: Int32Array = new Int32Array(1024)

  constructor(index: TermIndex) {
    this.index = index
  }

  /** Answers the number of hits. */
  find(prepared: PreparedText): number {
    this.forget()
    const { index } = this
    const { scan } = prepared.body
    this.follow(scan, 0)
    if (index.symbols > 0) this.walkSymbols(scan)
    if (index.addresses > 0 && prepared.hasLinks) this.follow(prepared.links.scan, LINK_SALT)
    return this.count
  }

  /** Follows the paths from all tokens, then looks up where terms may end. */
  private follow(scan: TextScan, salt: number): void {
    let alive = this.start(scan, salt)
    for (let depth = 1; alive > 0; depth += 1) {
      if (this.ended > ENDS_NOTED) this.settle(scan)
      alive = this.extend(scan, alive, depth)
    }
    this.settle(scan)
  }

  /** Takes down the terms that stand where ends were noted. */
  private settle(scan: TextScan): void {
    const found = this.lookUp(this.ended)
    this.fetch(found)
    this.checkAll(scan, found)
    this.ended = 0
  }

  /**
   * Notes at which tokens a term may end and which may be the start of a longer path. Without branches, which would be
   * guessed wrong: what is written counts when the number of what has been found goes up.
   */
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
      found += mayEnd(turned(word), hash) & 1
    }
    this.ended = ended
    return found
  }

  /**
   * Adds the next token to each path. Again without branches; what is read behind the last token counts for nothing.
   */
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
      found += mayEnd(turned(word), hash) & goesOn
    }
    this.ended = ended
    return found
  }

  /** Looks the ends of paths up and keeps those where a list of terms lies, with its head. */
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

  /** Reads the start and the middle of each term, only to have them in the cache when they are compared. */
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

  /** Keeps reads whose only purpose is to fill the cache from being optimised away. */
  touched = 0

  private checkAll(scan: TextScan, count: number): void {
    const { endStarts, ends } = this
    for (let at = 0; at < count; at += 1) this.check(scan, endStarts[at]!, scan.starts[endStarts[at]!]!, ends[at]!)
  }

  /** Terms of symbols alone lie at their first characters, which may stand wherever no token is. */
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

  /** Takes down the terms of a list whose characters really stand at `at`, where `token` (or no token) starts. */
  private check(scan: TextScan, token: number, at: number, head: number): void {
    const { arena, characters } = this.index
    // Not `!== NONE`: where another thread has just made the arena longer, what is read behind the end of it is
    // undefined.
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

  /** Empties the set through what is in it: clearing all of it would cost more than most texts. */
  private forget(): void {
    const { seen, hits } = this
    const mask = seen.length - 1
    for (let at = 0; at < this.count; at += 1) {
      for (let slot = placeOf(hits[at]!) & mask; seen[slot] !== 0; slot = (slot + 1) & mask) seen[slot] = 0
    }
    this.count = 0
  }

  /** Room for this many paths, those noted included; one more may be written than count. */
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
