import type { MatchText } from './contract.ts'
import { HitFinder } from './hit-finder.ts'
import { doubled } from './memory.ts'
import { PreparedText } from './prepared-text.ts'
import type { RuleBook } from './rule-book.ts'
import type { Reading } from './sequence.ts'
import type { Subscribers } from './subscribers.ts'
import * as layout from './subscribers.ts'
import type { TermIndex } from './term-index.ts'

// Copied for speed, as characters.ts explains.
const { SUBSCRIBER_FIELDS, SUBSCRIBER_NEXT, SUBSCRIBER_RULES } = layout

/** A term that a text holds, before anybody's rules have been asked. */
export interface TermHit {
  /** The term in folded form, or in plain form when its case counts. */
  term: string
  caseSensitive: boolean
}

/** Who accepts a text: `owners[n]` is the owner of `ids[n]`. */
export interface OwnedMatches {
  ids: string[]
  owners: number[]
}

/** A reader looks this often whether what it is reading has changed. A power of two. */
const STEPS_BETWEEN_LOOKS = 1024

/**
 * Who accepts text after text: the terms of a text, then the subscribers of each, then their rules.
 *
 * While another thread changes the index, everything read from it may be torn. So that reading ends and throws nothing
 * all the same, lists end at the first number that cannot be one of theirs, and long ones are left when they change.
 */
export class Acceptance {
  private readonly index: TermIndex
  private readonly rules: RuleBook
  private readonly subscribers: Subscribers
  private readonly finder: HitFinder
  private readonly prepared: PreparedText
  private readonly reading: Reading | null
  private accepted: Int32Array = new Int32Array(64)

  constructor(index: TermIndex, rules: RuleBook, subscribers: Subscribers, multiplier: number, reading: Reading | null = null) {
    this.index = index
    this.rules = rules
    this.subscribers = subscribers
    this.finder = new HitFinder(index)
    this.prepared = new PreparedText(multiplier)
    this.reading = reading
  }

  /** The text that the questions after this are about. */
  read(text: MatchText): void {
    this.prepared.read(text)
  }

  ids(): string[] {
    const count = this.find()
    const { accepted, subscribers } = this
    const ids: string[] = []
    for (let at = 0; at < count; at += 1) ids.push(subscribers.id(accepted[at]!))
    return ids
  }

  owned(): OwnedMatches {
    const count = this.find()
    const { accepted, subscribers } = this
    const ids: string[] = []
    const owners: number[] = []
    for (let at = 0; at < count; at += 1) {
      ids.push(subscribers.id(accepted[at]!))
      owners.push(subscribers.owners[accepted[at]!]!)
    }
    return { ids, owners }
  }

  hits(): TermHit[] {
    const count = this.finder.find(this.prepared)
    return Array.from(this.finder.hits.subarray(0, count), (term) => ({ term: this.index.textOf(term), caseSensitive: this.index.isCased(term) }))
  }

  /** Writes the subscribers that accept the text to `accepted` and answers their number. */
  private find(): number {
    const { finder, index, rules, prepared, subscribers } = this
    const count = finder.find(prepared)
    if (count === 0) return 0
    rules.open(prepared)
    const { hits } = finder
    const { records } = subscribers
    finder.touched ^= this.fetchFirst(hits, count, records)
    let found = 0
    let steps = 0
    for (let hit = 0; hit < count; hit += 1) {
      let subscriber = index.firstSubscriber(hits[hit]!)
      while (subscriber >= 0) {
        const record = SUBSCRIBER_FIELDS * subscriber
        if (rules.judge(records[record + SUBSCRIBER_RULES]! >>> 1) === 0) {
          if (found === this.accepted.length) this.accepted = doubled(this.accepted)
          this.accepted[found] = subscriber
          found += 1
        }
        subscriber = records[record + SUBSCRIBER_NEXT]!
        steps += 1
        if ((steps & (STEPS_BETWEEN_LOOKS - 1)) === 0 && this.reading !== null && this.reading.isStale()) return 0
      }
    }
    return found
  }

  /** Reads the first subscriber of each term at the same time, so that the loop after it need not wait for each in turn. */
  private fetchFirst(hits: Int32Array, count: number, records: Int32Array): number {
    let sum = 0
    for (let hit = 0; hit < count; hit += 1) sum ^= records[SUBSCRIBER_FIELDS * this.index.firstSubscriber(hits[hit]!)]!
    return sum
  }
}
