import type { MatchText } from './contract.ts'
import { HitFinder } from './hit-finder.ts'
import { doubled } from './memory.ts'
import { PreparedText } from './prepared-text.ts'
import { FIRST_DROP, type RuleBook, type RuleVerdict, VERDICTS } from './rule-book.ts'
import type { SequenceReading } from './sequence.ts'
import type { Subscribers } from './subscribers.ts'
import * as layout from './subscribers.ts'
import type { TermIndex } from './term-index.ts'

// Copied for speed: see characters.ts.
const { SUBSCRIBER_BEFORE, SUBSCRIBER_FIELDS, SUBSCRIBER_NEXT, SUBSCRIBER_RULES } = layout

export interface TermHit {
  term: string
  caseSensitive: boolean
}

export interface OwnedMatches {
  ids: string[]
  owners: number[]
}

export interface Drop {
  id: string
  owner: number
  verdict: RuleVerdict
}

interface FoundDrop extends Drop {
  subscriber: number
}

const DROPS_MOST = 100

export const EVERYBODY = (): boolean => true

/** A power of two. */
const STEPS_BETWEEN_LOOKS = 1024

/**
 * Finds the subscribers that accept a text.
 *
 * Reads may be torn while another thread changes the index. To end without an error, lists stop at the first impossible
 * number, and long lists at a change.
 */
export class Acceptance {
  private readonly index: TermIndex
  private readonly rules: RuleBook
  private readonly subscribers: Subscribers
  private readonly finder: HitFinder
  private readonly prepared: PreparedText
  private readonly reading: SequenceReading | null
  private candidates: Int32Array = new Int32Array(64)
  /** 1 for subscribers whose drops nobody wants to know. Beyond the end: 0. */
  private untold: Uint8Array = new Uint8Array(0)
  /** Drops of the last text by a rule other than scope, without `untold`. */
  dropped = 0

  constructor(
    index: TermIndex,
    rules: RuleBook,
    subscribers: Subscribers,
    multiplier: number,
    reading: SequenceReading | null = null,
  ) {
    this.index = index
    this.rules = rules
    this.subscribers = subscribers
    this.finder = new HitFinder(index)
    this.prepared = new PreparedText(multiplier)
    this.reading = reading
  }

  read(text: MatchText): void {
    this.prepared.read(text)
  }

  ids(): string[] {
    const count = this.find()
    const { candidates, subscribers } = this
    const ids: string[] = []
    for (let at = 0; at < count; at += 1) ids.push(subscribers.id(candidates[at]!))
    return ids
  }

  owned(): OwnedMatches {
    const count = this.find()
    const { candidates, subscribers } = this
    const ids: string[] = []
    const owners: number[] = []
    for (let at = 0; at < count; at += 1) {
      ids.push(subscribers.id(candidates[at]!))
      owners.push(subscribers.owners[candidates[at]!]!)
    }
    return { ids, owners }
  }

  /** At most 100, from a random start, so that all are reported equally often. */
  drops(): FoundDrop[] {
    const count = this.findDropping()
    const { candidates, rules, subscribers } = this
    const drops: FoundDrop[] = []
    const first = Math.floor(Math.random() * count)
    for (let nth = 0; nth < Math.min(count, DROPS_MOST); nth += 1) {
      const subscriber = candidates[(first + nth) % count]!
      const verdict =
        VERDICTS[rules.judge(subscribers.records[SUBSCRIBER_FIELDS * subscriber + SUBSCRIBER_RULES]! >>> 1)]!
      drops.push({ subscriber, id: subscribers.id(subscriber), owner: subscribers.owners[subscriber]!, verdict })
    }
    return drops
  }

  /** Refused subscribers are neither counted nor found again until `tellOfAll`. */
  wanted(found: readonly FoundDrop[], wants: (id: string) => boolean): Drop[] {
    const drops: Drop[] = []
    for (const { subscriber, id, owner, verdict } of found) {
      if (wants(id)) drops.push({ id, owner, verdict })
      else this.leaveOut(subscriber)
    }
    return drops
  }

  tellOfAll(): void {
    this.untold.fill(0)
  }

  private leaveOut(subscriber: number): void {
    if (subscriber >= this.untold.length) {
      const grown = new Uint8Array(2 * subscriber + 64)
      grown.set(this.untold)
      this.untold = grown
    }
    this.untold[subscriber] = 1
  }

  hits(): TermHit[] {
    const count = this.finder.find(this.prepared)
    return Array.from(this.finder.hits.subarray(0, count), (term) => ({
      term: this.index.textOf(term),
      caseSensitive: this.index.isCased(term),
    }))
  }

  private find(): number {
    const count = this.gather()
    const { rules, subscribers, candidates, untold } = this
    const { records } = subscribers
    let found = 0
    let dropped = 0
    for (let at = 0; at < count; at += 1) {
      const subscriber = candidates[at]!
      const verdict = rules.judge(records[SUBSCRIBER_FIELDS * subscriber + SUBSCRIBER_RULES]! >>> 1)
      if (verdict === 0) {
        candidates[found] = subscriber
        found += 1
      } else if (verdict >= FIRST_DROP && (subscriber >= untold.length || untold[subscriber] === 0)) {
        dropped += 1
      }
    }
    this.dropped = dropped
    return found
  }

  private findDropping(): number {
    const count = this.gather()
    const { rules, subscribers, candidates, untold } = this
    let found = 0
    for (let at = 0; at < count; at += 1) {
      const subscriber = candidates[at]!
      const isTold = subscriber >= untold.length || untold[subscriber] === 0
      if (
        isTold &&
        rules.judge(subscribers.records[SUBSCRIBER_FIELDS * subscriber + SUBSCRIBER_RULES]! >>> 1) >= FIRST_DROP
      ) {
        candidates[found] = subscriber
        found += 1
      }
    }
    return found
  }

  private gather(): number {
    const { finder, prepared, rules, subscribers } = this
    const hits = finder.find(prepared)
    if (hits === 0) return 0
    rules.open(prepared)
    finder.touched ^= this.fetchFirst(finder.hits, hits, subscribers.records)
    let count = 0
    for (let hit = 0; hit < hits && count >= 0; hit += 1)
      count = this.list(this.index.firstSubscriber(finder.hits[hit]!), count)
    return Math.max(0, count)
  }

  /** Appends a list from both ends; -1 when the list changed meanwhile. */
  private list(first: number, count: number): number {
    const { records } = this.subscribers
    let front = first
    let back = -2 - records[SUBSCRIBER_FIELDS * first + SUBSCRIBER_BEFORE]!
    let end = count
    let isMet = false
    // A torn list may lead anywhere.
    while (!isMet && front >= 0 && back >= 0) {
      if (end + 2 > this.candidates.length) this.candidates = doubled(this.candidates)
      this.candidates[end] = front
      this.candidates[end + 1] = back
      end += front === back ? 1 : 2
      const next = records[SUBSCRIBER_FIELDS * front + SUBSCRIBER_NEXT]!
      isMet = front === back || next === back
      back = records[SUBSCRIBER_FIELDS * back + SUBSCRIBER_BEFORE]!
      front = next
      if (end >= STEPS_BETWEEN_LOOKS && (end & (STEPS_BETWEEN_LOOKS - 1)) <= 1 && this.reading?.isStale()) return -1
    }
    return end
  }

  /** Reads the first subscribers in parallel, so that the main loop need not wait for each. */
  private fetchFirst(hits: Int32Array, count: number, records: Int32Array): number {
    let sum = 0
    for (let hit = 0; hit < count; hit += 1) sum ^= records[SUBSCRIBER_FIELDS * this.index.firstSubscriber(hits[hit]!)]!
    return sum
  }
}
