import * as classes from './character-classes.ts'
import { FOLDED, PLAIN } from './characters.ts'
import { doubled } from './memory.ts'
import { standsAt, symbolHash } from './phrase.ts'
import * as flags from './phrase-flags.ts'
import type { PreparedText } from './prepared-text.ts'
import * as layout from './term-index.ts'
import { inLinks, type TermIndex } from './term-index.ts'
import { joined, type TextScan } from './text-scan.ts'

// Copied for speed, as characters.ts explains.
const { HANGUL, LETTER, PICTURE, SOLO } = classes
const { CASED } = flags
const { TERM_HEAD, TERM_NEXT, TERM_PACKED, TERM_TEXT } = layout
const NONE = -1

/**
 * Finds the terms of an index in text after text.
 *
 * All paths of a text are followed level by level: the hashes of one level against the filter, then what is left
 * against the table, then the terms found. So each step reads many places that do not depend on each other, which the
 * processor fetches at the same time; following one path to its end would wait for each place in turn.
 */
export class HitFinder {
  /** The terms found in the last text, each once: the first `count` numbers. */
  hits: Int32Array = new Int32Array(256)
  count = 0
  private readonly index: TermIndex
  /** Of each path that is followed: the token it starts at, and its hash. */
  private starts: Int32Array = new Int32Array(1024)
  private paths: Int32Array = new Int32Array(1024)
  private payloads: Int32Array = new Int32Array(1024)
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
    this.follow(scan, this.startAll(scan))
    if (index.symbols > 0) this.walkSymbols(scan)
    if (index.addresses > 0 && prepared.hasLinks) {
      const links = prepared.links.scan
      this.follow(links, this.startLinks(links))
    }
    return this.count
  }

  /** Notes the tokens that the filter does not rule out as starts of a path; without branches, they would be guessed wrong. */
  private startAll(scan: TextScan): number {
    const { filter, filterShift } = this.index.trie
    const { count, hashes } = scan
    this.reserve(count)
    const { starts, paths } = this
    let found = 0
    for (let token = 0; token < count; token += 1) {
      const hash = hashes[token]!
      const bit = hash >>> filterShift
      starts[found] = token
      paths[found] = hash
      found += (filter[bit >>> 5]! >>> (bit & 31)) & 1
    }
    return found
  }

  /** The same for links, where paths have other hashes. */
  private startLinks(scan: TextScan): number {
    const { filter, filterShift } = this.index.trie
    this.reserve(scan.count)
    let found = 0
    for (let token = 0; token < scan.count; token += 1) {
      const hash = inLinks(scan.hashes[token]!)
      const bit = hash >>> filterShift
      this.starts[found] = token
      this.paths[found] = hash
      found += (filter[bit >>> 5]! >>> (bit & 31)) & 1
    }
    return found
  }

  /** Follows `found` paths of one token, then what goes on of two, and so on. */
  private follow(scan: TextScan, found: number): void {
    let depth = 1
    for (let alive = this.lookUp(found); alive > 0; alive = this.lookUp(this.extend(scan, alive, depth++))) {
      this.fetch(alive)
      this.checkAll(scan, alive)
    }
  }

  /** Looks the paths up and keeps those that exist, with their payloads. */
  private lookUp(count: number): number {
    const { table, mask } = this.index.trie
    const { starts, paths, payloads } = this
    let sum = 0
    for (let at = 0; at < count; at += 1) sum ^= table[(paths[at]! & mask) << 1]!
    let found = 0
    for (let at = 0; at < count; at += 1) {
      const hash = paths[at]!
      let place = (hash & mask) << 1
      let key = table[place]!
      while (key !== hash && key !== 0) {
        place = (place + 2) & (2 * mask + 1)
        key = table[place]!
      }
      starts[found] = starts[at]!
      paths[found] = hash
      const payload = key === 0 ? 0 : table[place + 1]!
      payloads[found] = payload
      found += payload === 0 ? 0 : 1
    }
    this.touched = sum
    return found
  }

  /** Reads the start and the middle of each term, only to have them in the cache when they are compared. */
  private fetch(count: number): void {
    const { arena } = this.index
    const { payloads } = this
    let sum = 0
    for (let at = 0; at < count; at += 1) {
      const term = payloads[at]! >>> 1
      sum ^= arena[term]! ^ arena[term + 8]!
    }
    this.touched = sum
  }

  /** Keeps reads whose only purpose is to fill the cache from being optimised away. */
  touched = 0

  private checkAll(scan: TextScan, count: number): void {
    const { starts, payloads } = this
    for (let at = 0; at < count; at += 1) {
      const head = (payloads[at]! >>> 1) - 1
      if (head !== NONE) this.check(scan, starts[at]!, scan.starts[starts[at]!]!, head)
    }
  }

  /**
   * Of the paths that longer ones go through, adds the next token; keeps what the filter does not rule out. Again without
   * branches; what is read behind the last token counts for nothing.
   */
  private extend(scan: TextScan, count: number, depth: number): number {
    const { filter, filterShift } = this.index.trie
    const { starts, paths, payloads } = this
    const { hashes } = scan
    const last = scan.count - depth
    let found = 0
    for (let at = 0; at < count; at += 1) {
      const start = starts[at]!
      const goesOn = payloads[at]! & ((start - last) >>> 31)
      const hash = joined(paths[at]!, hashes[start + depth]!)
      const bit = hash >>> filterShift
      starts[found] = start
      paths[found] = hash
      found += (filter[bit >>> 5]! >>> (bit & 31)) & goesOn & 1
    }
    return found
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
    // Not `!== NONE`: where another thread has just made the arena longer, what is read behind the end of it is undefined.
    for (let term = head; term > NONE; term = arena[term + TERM_NEXT]!) {
      const packed = arena[term + TERM_PACKED]!
      const first = arena[term + TERM_HEAD]!
      const hit = first < NONE ? -2 - first : term
      if (this.isSeen(hit)) continue
      const text = 2 * (term + TERM_TEXT)
      const stands = (packed & CASED) === 0 ? standsAt(scan.units, FOLDED, at, characters, text, packed) : casedStandsAt(scan, token, characters, text, packed)
      if (stands) this.note(hit)
    }
  }

  private isSeen(term: number): boolean {
    const { seen } = this
    const mask = seen.length - 1
    for (let slot = placeOf(term) & mask; seen[slot] !== 0; slot = (slot + 1) & mask) if (seen[slot] === term + 1) return true
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

  private reserve(count: number): void {
    if (count <= this.starts.length) return
    const capacity = Math.max(count, 2 * this.starts.length)
    this.starts = new Int32Array(capacity)
    this.paths = new Int32Array(capacity)
    this.payloads = new Int32Array(capacity)
  }
}

function placeOf(term: number): number {
  return Math.imul(term, 0x9e3779b1) >>> 16
}

function casedStandsAt(scan: TextScan, token: number, characters: Uint16Array, text: number, packed: number): boolean {
  const exact = scan.exact()
  return standsAt(exact.units, PLAIN, exact.starts[token]!, characters, text, packed)
}
