import type { MatchText } from './contract.ts'
import { HitFinder } from './hit-finder.ts'
import { doubled } from './memory.ts'
import { PreparedText } from './prepared-text.ts'
import { FIRST_DROP, type RuleBook, VERDICTS, type Verdict } from './rule-book.ts'
import type { Reading } from './sequence.ts'
import type { Subscribers } from './subscribers.ts'
import * as layout from './subscribers.ts'
import type { TermIndex } from './term-index.ts'

// Copied for speed, as characters.ts explains.
const { SUBSCRIBER_BEFORE, SUBSCRIBER_FIELDS, SUBSCRIBER_NEXT, SUBSCRIBER_RULES } = layout

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

/** Somebody whose term a text holds, and whose rules drop it. */
export interface Drop {
  id: string
  owner: number
  verdict: Verdict
}

/** The same, with the number of the subscriber, which means nothing to others. */
interface FoundDrop extends Drop {
  subscriber: number
}

/** So many are told of one text. */
const DROPS_MOST = 100

/** Who is asked about at the start: everybody. */
export const EVERYBODY = (): boolean => true

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
  /**
   * The subscribers of the terms of the text, then those of them that the question was about: the first of these
   * numbers.
   */
  private candidates: Int32Array = new Int32Array(64)
  /** By number 1 for subscribers whose drops nobody wants to be told of for now. Beyond its end there is none. */
  private untold: Uint8Array = new Uint8Array(0)
  /**
   * How many subscribers dropped the text that was asked about last by a rule of theirs, its scope aside, and may be
   * told of.
   */
  dropped = 0

  constructor(
    index: TermIndex,
    rules: RuleBook,
    subscribers: Subscribers,
    multiplier: number,
    reading: Reading | null = null,
  ) {
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

  /**
   * Who drops the text by a rule, its scope aside, and by which; at most a hundred of them, beginning anywhere, so that
   * of more each comes to be told of as often as any other.
   */
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

  /** Those of whom somebody wants to be told. The others are not counted and not found again until `tellOfAll`. */
  wanted(found: readonly FoundDrop[], wants: (id: string) => boolean): Drop[] {
    const drops: Drop[] = []
    for (const { subscriber, id, owner, verdict } of found) {
      if (wants(id)) drops.push({ id, owner, verdict })
      else this.leaveOut(subscriber)
    }
    return drops
  }

  /** Forgets of whom nobody wanted to be told. */
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

  /** Keeps the candidates that accept the text and answers their number. */
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

  /** Keeps the candidates that drop the text, and of whom it may be told, and answers their number. */
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

  /**
   * Finds the terms of the text, opens the rules for it and writes the subscribers of the terms to `candidates`;
   * answers their number.
   */
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

  /**
   * Adds a list of subscribers to the `count` candidates, reading from both ends until they meet, and answers how many
   * there are then; -1 when the list has changed meanwhile.
   */
  private list(first: number, count: number): number {
    const { records } = this.subscribers
    let front = first
    let back = -2 - records[SUBSCRIBER_FIELDS * first + SUBSCRIBER_BEFORE]!
    let end = count
    let isMet = false
    // Not `!isMet` alone: what is torn may lead anywhere.
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

  /**
   * Reads the first subscriber of each term at the same time, so that the loop after it need not wait for each in turn.
   */
  private fetchFirst(hits: Int32Array, count: number, records: Int32Array): number {
    let sum = 0
    for (let hit = 0; hit < count; hit += 1) sum ^= records[SUBSCRIBER_FIELDS * this.index.firstSubscriber(hits[hit]!)]!
    return sum
  }
}
