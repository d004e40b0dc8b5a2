import { randomInt } from 'node:crypto'
import { Checksum } from './checksum.ts'
import type { MatchRules, MatchText } from './contract.ts'
import { HitFinder } from './hit-finder.ts'
import { PreparedText } from './prepared-text.ts'
import { RuleBook } from './rule-book.ts'
import * as layout from './subscribers.ts'
import { Subscribers } from './subscribers.ts'
import { TermIndex } from './term-index.ts'
import { multiplierOf } from './text-scan.ts'
import { NONE } from './token-trie.ts'

// Copied for speed, as characters.ts explains.
const { SUBSCRIBER_FIELDS, SUBSCRIBER_NEXT, SUBSCRIBER_RULES } = layout

/** A term that a text holds, before anybody's rules have been asked. */
export interface TermHit {
  /** The term in folded form, or in plain form when its case counts. */
  term: string
  caseSensitive: boolean
}

export interface MatcherStats {
  /** Distinct terms. */
  terms: number
  subscribers: number
  /** Bytes of the arrays that the index and its subscribers lie in. */
  bytes: number
}

/** Matches texts against the terms and rules of many subscribers in one pass. */
export interface Matcher {
  /** Adds a subscriber, or replaces the rules of the one with this id. Throws RangeError for a term of more than 2,047 folded units. */
  put(id: string, rules: MatchRules): void
  /** Forgets a subscriber; false when there is none with this id. */
  remove(id: string): boolean
  /** The ids of all subscribers that accept the text, each once, in no particular order. */
  match(text: MatchText): string[]
  /** The distinct terms that the text holds, whoever subscribes to them and whatever their rules say. */
  hits(text: MatchText): TermHit[]
  /**
   * Makes room for this many more subscribers with terms of their own, of usual length, so that the tables are sized
   * once before a bulk load instead of growing through it. A hint: what is loaded in the end may be more or less.
   */
  reserve(terms: number): void
  readonly size: number
  stats(): MatcherStats
  /**
   * 16 hexadecimal digits that depend on what is loaded and not on the order; `checksumOf` computes the same. Computed
   * when it is asked for, from everything that is loaded: more than a second for a million subscribers, in one go.
   */
  checksum(): string
}

export interface MatcherOptions {
  /** Makes the hashes of two matchers the same; a secret one is drawn when it is left out. Any whole number. */
  seed?: number
}

export function createMatcher(options: MatcherOptions = {}): Matcher {
  return new HashMatcher(multiplierOf(options.seed ?? randomInt(2 ** 31)))
}

class HashMatcher implements Matcher {
  private readonly index: TermIndex
  private readonly rules: RuleBook
  private readonly subscribers = new Subscribers()
  private readonly finder: HitFinder
  private readonly prepared: PreparedText

  constructor(multiplier: number) {
    this.index = new TermIndex(multiplier)
    this.rules = new RuleBook(multiplier)
    this.finder = new HitFinder(this.index)
    this.prepared = new PreparedText(multiplier)
  }

  get size(): number {
    return this.subscribers.count
  }

  reserve(terms: number): void {
    if (!Number.isSafeInteger(terms) || terms < 0) throw new RangeError(`no room can be made for ${terms} terms`)
    this.index.reserve(terms)
    this.subscribers.reserve(terms)
  }

  put(id: string, rules: MatchRules): void {
    this.finder.touched ^= this.subscribers.fetch(id)
    const term = this.index.intern(rules.term, rules.caseSensitive)
    const rule = this.rules.take(rules)
    // The new comes before the old goes, so that what both share is not forgotten in between.
    this.drop(id, term)
    const head = term === NONE ? NONE : this.index.firstSubscriber(term)
    const subscriber = this.subscribers.add(id, 2 * rule + (rules.caseSensitive ? 1 : 0), term, head)
    if (term !== NONE) this.index.setFirstSubscriber(term, subscriber)
  }

  remove(id: string): boolean {
    return this.drop(id, NONE)
  }

  /** Forgets a subscriber, and its term when nobody else has it, `keptTerm` excepted. */
  private drop(id: string, keptTerm: number): boolean {
    const subscriber = this.subscribers.find(id)
    if (subscriber === NONE) return false
    const term = this.subscribers.term(subscriber)
    const isFirst = this.subscribers.isFirst(subscriber)
    this.rules.release(this.subscribers.rules(subscriber) >>> 1)
    const next = this.subscribers.remove(id, subscriber)
    if (term !== NONE && isFirst) {
      this.index.setFirstSubscriber(term, next)
      if (next === NONE && term !== keptTerm) this.index.release(term)
    }
    return true
  }

  match(text: MatchText): string[] {
    const { finder, rules, prepared, subscribers } = this
    prepared.read(text)
    const count = finder.find(prepared)
    const accepted: string[] = []
    if (count === 0) return accepted
    rules.open(prepared)
    const { hits } = finder
    const { records } = subscribers
    finder.touched ^= this.fetchFirst(hits, count, records)
    for (let hit = 0; hit < count; hit += 1) {
      let subscriber = this.index.firstSubscriber(hits[hit]!)
      while (subscriber !== NONE) {
        const record = SUBSCRIBER_FIELDS * subscriber
        if (rules.judge(records[record + SUBSCRIBER_RULES]! >>> 1) === 0) accepted.push(subscribers.id(subscriber))
        subscriber = records[record + SUBSCRIBER_NEXT]!
      }
    }
    return accepted
  }

  /** Reads the first subscriber of each term at the same time, so that the loop after it need not wait for each in turn. */
  private fetchFirst(hits: Int32Array, count: number, records: Int32Array): number {
    let sum = 0
    for (let hit = 0; hit < count; hit += 1) sum ^= records[SUBSCRIBER_FIELDS * this.index.firstSubscriber(hits[hit]!)]!
    return sum
  }

  hits(text: MatchText): TermHit[] {
    this.prepared.read(text)
    const count = this.finder.find(this.prepared)
    return Array.from(this.finder.hits.subarray(0, count), (term) => ({ term: this.index.textOf(term), caseSensitive: this.index.isCased(term) }))
  }

  stats(): MatcherStats {
    return { terms: this.index.count, subscribers: this.size, bytes: this.index.bytes + this.rules.bytes + this.subscribers.bytes }
  }

  checksum(): string {
    const { index, subscribers } = this
    const sum = new Checksum()
    for (const subscriber of subscribers.all()) {
      const term = subscribers.term(subscriber)
      const rules = subscribers.rules(subscriber)
      sum.add(subscribers.made(subscriber), term === NONE ? '' : index.textOf(term), (rules & 1) === 1, this.rules.key(rules >>> 1))
    }
    return sum.toString()
  }
}
