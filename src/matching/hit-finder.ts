import { FOLDED, HANGUL, LETTER, PICTURE, PLAIN, SOLO } from './characters.ts'
import { CASED, standsAt } from './phrase.ts'
import type { PreparedText } from './prepared-text.ts'
import { inLinks, symbolHash, TERM_FIELDS, TERM_HEAD, TERM_NEXT, TERM_OFFSET, TERM_PACKED, type TermIndex } from './term-index.ts'
import { joined, type TextScan } from './text-scan.ts'
import { NONE } from './token-trie.ts'

/** Finds the terms of an index in text after text. */
export class HitFinder {
  /** The terms found in the last text, each once: the first `count` numbers. */
  hits: Int32Array = new Int32Array(256)
  count = 0
  private readonly index: TermIndex
  /** Tokens that the filter did not rule out. */
  private candidates = new Int32Array(1024)
  /** A small hash set of the hits: the term plus 1. */
  private seen = new Int32Array(1024)

  constructor(index: TermIndex) {
    this.index = index
  }

  /** Answers the number of hits. */
  find(prepared: PreparedText): number {
    this.forget()
    const { index } = this
    const { scan } = prepared.body
    this.walkTokens(scan)
    if (index.symbols > 0) this.walkSymbols(scan)
    if (index.addresses > 0 && prepared.hasLinks) this.walkLinks(prepared.links.scan)
    return this.count
  }

  /** First all tokens against the filter, without branches, so that the processor reads ahead; then the rest. */
  private walkTokens(scan: TextScan): void {
    const { filter, filterShift } = this.index.trie
    const { count, hashes } = scan
    if (count > this.candidates.length) this.candidates = new Int32Array(hashes.length)
    const { candidates } = this
    let found = 0
    for (let token = 0; token < count; token += 1) {
      const bit = hashes[token]! >>> filterShift
      candidates[found] = token
      found += (filter[bit >>> 5]! >>> (bit & 31)) & 1
    }
    for (let at = 0; at < found; at += 1) this.walk(scan, candidates[at]!, hashes[candidates[at]!]!)
  }

  private walkLinks(scan: TextScan): void {
    for (let token = 0; token < scan.count; token += 1) this.walk(scan, token, inLinks(scan.hashes[token]!))
  }

  /** Terms of symbols alone lie at their first characters, which may stand wherever no token is. */
  private walkSymbols(scan: TextScan): void {
    const { units, end } = scan
    for (let at = 1; at < end; at += 1) {
      const entry = FOLDED[units[at]!]!
      if ((entry & (LETTER | HANGUL | SOLO | PICTURE)) !== 0) continue
      const first = symbolHash(entry & 0xffff)
      this.check(scan, NONE, at, this.index.trie.head(first))
      this.check(scan, NONE, at, this.index.trie.head(joined(first, symbolHash(FOLDED[units[at + 1]!]! & 0xffff))))
    }
  }

  /** Follows the path that starts at a token as far as it exists. */
  private walk(scan: TextScan, start: number, first: number): void {
    const { table, mask, filter, filterShift } = this.index.trie
    const { hashes, count } = scan
    let hash = first
    let token = start
    for (;;) {
      let slot = hash & mask
      let key = table[2 * slot]!
      while (key !== hash) {
        if (key === 0) return
        slot = (slot + 1) & mask
        key = table[2 * slot]!
      }
      const payload = table[2 * slot + 1]!
      if (payload > 1) this.check(scan, start, scan.starts[start]!, (payload >>> 1) - 1)
      if ((payload & 1) === 0) return
      token += 1
      if (token >= count) return
      hash = joined(hash, hashes[token]!)
      const bit = hash >>> filterShift
      if (((filter[bit >>> 5]! >>> (bit & 31)) & 1) === 0) return
    }
  }

  /** Takes down the terms of a list whose characters really stand at `at`, where `token` (or no token) starts. */
  private check(scan: TextScan, token: number, at: number, head: number): void {
    const { terms, pool } = this.index
    for (let term = head; term !== NONE; term = terms[TERM_FIELDS * term + TERM_NEXT]!) {
      const record = TERM_FIELDS * term
      const packed = terms[record + TERM_PACKED]!
      const first = terms[record + TERM_HEAD]!
      const hit = first < NONE ? -2 - first : term
      if (this.isSeen(hit)) continue
      const stands =
        (packed & CASED) === 0
          ? standsAt(scan.units, FOLDED, at, pool, terms[record + TERM_OFFSET]!, packed)
          : casedStandsAt(scan, token, pool, terms[record + TERM_OFFSET]!, packed)
      if (stands) this.note(hit)
    }
  }

  private isSeen(term: number): boolean {
    const { seen } = this
    const mask = seen.length - 1
    for (let slot = term & mask; seen[slot] !== 0; slot = (slot + 1) & mask) if (seen[slot] === term + 1) return true
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
    let slot = term & mask
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
    if (this.count > 64) {
      seen.fill(0)
    } else {
      const mask = seen.length - 1
      for (let at = 0; at < this.count; at += 1) {
        for (let slot = hits[at]! & mask; seen[slot] !== 0; slot = (slot + 1) & mask) seen[slot] = 0
      }
    }
    this.count = 0
  }
}

function casedStandsAt(scan: TextScan, token: number, pool: Uint16Array, offset: number, packed: number): boolean {
  const exact = scan.exact()
  return standsAt(exact.units, PLAIN, exact.starts[token]!, pool, offset, packed)
}

function doubled(array: Int32Array): Int32Array {
  const grown = new Int32Array(2 * array.length)
  grown.set(array)
  return grown
}
