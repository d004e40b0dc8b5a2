import { randomInt } from 'node:crypto'
import { Acceptance, type Drop, EVERYBODY, type OwnedMatches, type TermHit } from './acceptance.ts'
import { Checksum } from './checksum.ts'
import type { MatchRules, MatchText } from './contract.ts'
import { type PlannedRule, RuleRegister } from './rule-register.ts'
import { newControl, SequenceWriting } from './sequence.ts'
import type { MatchReader, SharedMatcher } from './shared-reader.ts'
import {
  type MatcherSnapshot,
  packSnapshot,
  type SavedState,
  type SnapshotRefusal,
  unpackSnapshot,
} from './snapshot.ts'
import { SubscriberRegister } from './subscriber-register.ts'
import { TermRegister } from './term-register.ts'
import { multiplierOf } from './text-scan.ts'
import { NONE } from './token-trie.ts'

export interface MatcherStats {
  terms: number
  subscribers: number
  bytes: number
}

/**
 * Matches texts against the terms and rules of many subscribers in one pass; changed in place. Ids are any strings;
 * lower-case UUIDs take the least memory.
 */
export interface Matcher extends MatchReader {
  /**
   * Adds a subscriber, or replaces its rules and owner. `owner` is a whole number from 0 to 2,147,483,647 with a
   * meaning to the caller only. False when nothing changes. Throws RangeError, and changes nothing, for a term or
   * phrase of more than 2,047 folded units, an owner out of range, and an id that is no UUID once the matcher is
   * shared.
   */
  put(id: string, rules: MatchRules, owner?: number): boolean
  /** False when the id is unknown. */
  remove(id: string): boolean
  has(id: string): boolean
  /** Null when the id is unknown. */
  owner(id: string): number | null
  /** All ids, in no particular order. Ids that are added or removed meanwhile may be missing or not. */
  ids(): IterableIterator<string>
  /** The distinct terms in the text, whatever the rules. */
  hits(text: MatchText): TermHit[]
  /** A hint before a bulk load: sizes the tables once for this many more terms. */
  reserve(terms: number): void
  /**
   * For `attachMatcher` in other threads, which see every change at once. Always the same object. Throws RangeError
   * when an id is no UUID.
   */
  share(): SharedMatcher
  /** The state as bytes for `restoreMatcher`, with a `label`. Contains the secret of the hashes. */
  snapshot(label?: string): MatcherSnapshot
  stats(): MatcherStats
  /**
   * 16 hexadecimal digits, independent of order and owners; equals `checksumOf`. Takes over a second for a million
   * subscribers.
   */
  checksum(): string
}

const OWNER_MOST = 2 ** 31 - 1

export interface MatcherOptions {
  /** Any whole number. Equal seeds make equal hashes; a secret one is drawn by default. */
  seed?: number
}

export function createMatcher(options: MatcherOptions = {}): Matcher {
  return new HashMatcher(multiplierOf(options.seed ?? randomInt(2 ** 31)))
}

/** Or why the bytes were refused. */
export type RestoredIndex =
  | { matcher: Matcher; label: string; refused: null }
  | { matcher: null; label: null; refused: SnapshotRefusal }

/** From the joined chunks, which are not kept. Never throws, whatever the bytes. */
export function restoreMatcher(bytes: Uint8Array): RestoredIndex {
  const unpacked = unpackSnapshot(bytes)
  if (typeof unpacked === 'string') return { matcher: null, label: null, refused: unpacked }
  const { head, arrays } = unpacked
  const matcher = new HashMatcher(head.multiplier)
  if (!matcher.load({ numbers: head.numbers, arrays })) return { matcher: null, label: null, refused: 'damaged' }
  return { matcher, label: head.label, refused: null }
}

class HashMatcher implements Matcher {
  private readonly multiplier: number
  private readonly index: TermRegister
  private readonly rules: RuleRegister
  private readonly subscribers: SubscriberRegister
  private readonly acceptance: Acceptance
  private writing: SequenceWriting | null = null
  private shared: SharedMatcher | null = null
  private touched = 0

  constructor(multiplier: number) {
    this.multiplier = multiplier
    this.index = new TermRegister(multiplier)
    this.rules = new RuleRegister(multiplier)
    this.subscribers = new SubscriberRegister()
    this.acceptance = new Acceptance(this.index, this.rules, this.subscribers, multiplier)
  }

  get size(): number {
    return this.subscribers.count
  }

  reserve(terms: number): void {
    if (!Number.isSafeInteger(terms) || terms < 0) throw new RangeError(`no room can be made for ${terms} terms`)
    this.index.reserve(terms)
    this.subscribers.reserve(terms)
  }

  put(id: string, rules: MatchRules, owner = 0): boolean {
    if (!Number.isInteger(owner) || owner < 0 || owner > OWNER_MOST)
      throw new RangeError(`${owner} is no number of an owner`)
    const { index } = this
    const phrase = index.read(rules.term, rules.caseSensitive)
    // After the term, so that both are fetched in parallel.
    this.touched ^= this.subscribers.fetch(id)
    if (this.writing !== null && !this.subscribers.isUuid(id)) throw notShared(id)
    const known = phrase === null ? NONE : index.find(phrase)
    const planned = this.rules.plan(rules)
    const fresh = known === NONE ? phrase : null
    if (fresh === null && this.isThere(id, rules.caseSensitive, owner, known, planned)) return false
    if (fresh !== null) index.makeRoom(fresh)
    this.begin()
    try {
      this.replace(id, rules.caseSensitive, owner, fresh === null ? known : index.add(fresh), planned)
    } finally {
      this.end()
    }
    return true
  }

  private isThere(id: string, caseSensitive: boolean, owner: number, term: number, planned: PlannedRule): boolean {
    const { subscribers } = this
    const subscriber = subscribers.find(id)
    if (subscriber === NONE || planned.rule < 0 || subscribers.owner(subscriber) !== owner) return false
    return (
      subscribers.rules(subscriber) === 2 * planned.rule + (caseSensitive ? 1 : 0) &&
      subscribers.term(subscriber) === term
    )
  }

  /** Taken before the old one is released, so that shared phrases survive. */
  private replace(id: string, caseSensitive: boolean, owner: number, term: number, planned: PlannedRule): void {
    const { index, subscribers } = this
    const rule = this.rules.take(planned)
    this.drop(id, term)
    const head = term === NONE ? NONE : index.firstSubscriber(term)
    const subscriber = subscribers.add(id, 2 * rule + (caseSensitive ? 1 : 0), owner, term, head)
    if (term !== NONE) index.setFirstSubscriber(term, subscriber)
  }

  remove(id: string): boolean {
    if (this.subscribers.find(id) === NONE) return false
    this.begin()
    try {
      this.drop(id, NONE)
    } finally {
      this.end()
    }
    return true
  }

  private drop(id: string, keptTerm: number): void {
    const { index, subscribers } = this
    const subscriber = subscribers.find(id)
    if (subscriber === NONE) return
    const term = subscribers.term(subscriber)
    const first = term === NONE ? subscriber : index.firstSubscriber(term)
    this.rules.release(subscribers.rules(subscriber) >>> 1)
    const next = subscribers.remove(id, subscriber, first)
    if (term !== NONE && subscriber === first) {
      index.setFirstSubscriber(term, next)
      if (next === NONE && term !== keptTerm) index.release(term)
    }
  }

  has(id: string): boolean {
    return this.subscribers.find(id) !== NONE
  }

  owner(id: string): number | null {
    const subscriber = this.subscribers.find(id)
    return subscriber === NONE ? null : this.subscribers.owner(subscriber)
  }

  *ids(): Generator<string, void, undefined> {
    for (const subscriber of this.subscribers.all()) yield this.subscribers.made(subscriber)
  }

  match(text: MatchText): string[] {
    this.acceptance.read(text)
    return this.acceptance.ids()
  }

  matchOwned(text: MatchText): OwnedMatches {
    this.acceptance.read(text)
    return this.acceptance.owned()
  }

  get dropped(): number {
    return this.acceptance.dropped
  }

  drops(text: MatchText, wants: (id: string) => boolean = EVERYBODY): Drop[] {
    this.acceptance.read(text)
    return this.acceptance.wanted(this.acceptance.drops(), wants)
  }

  tellOfAll(): void {
    this.acceptance.tellOfAll()
  }

  hits(text: MatchText): TermHit[] {
    this.acceptance.read(text)
    return this.acceptance.hits()
  }

  share(): SharedMatcher {
    this.shared ??= this.openToOthers()
    return this.shared
  }

  private openToOthers(): SharedMatcher {
    const { index, rules, subscribers, multiplier } = this
    const text = subscribers.anyText
    if (text !== undefined) throw notShared(text)
    const control = newControl()
    const writing = new SequenceWriting(control)
    index.share(writing)
    rules.share()
    subscribers.share()
    this.writing = writing
    writing.publishSlots(index.trie.mask + 1)
    this.publish(writing)
    return { multiplier, control, buffers: { ...index.buffers, ...subscribers.buffers, ...rules.buffers } }
  }

  snapshot(label = ''): MatcherSnapshot {
    const saved = [this.index.save(), this.subscribers.save(), this.rules.save()]
    return packSnapshot(this.multiplier, label, {
      numbers: Object.assign({}, ...saved.map(({ numbers }) => numbers)),
      arrays: Object.assign({}, ...saved.map(({ arrays }) => arrays)),
    })
  }

  /** False when invalid. */
  load(saved: SavedState): boolean {
    return this.index.load(saved) && this.subscribers.load(saved) && this.rules.load(saved)
  }

  private begin(): void {
    if (this.writing !== null) this.writing.begin()
  }

  private end(): void {
    if (this.writing === null) return
    this.publish(this.writing)
    this.writing.end()
  }

  private publish(writing: SequenceWriting): void {
    const { index, rules, subscribers } = this
    // Arrays only grow, so any growth changes the sum.
    const layout = index.arena.length + subscribers.records.length + subscribers.owners.length + rules.length
    writing.publish(layout, index.symbols, index.addresses, subscribers.count)
  }

  stats(): MatcherStats {
    return {
      terms: this.index.count,
      subscribers: this.size,
      bytes: this.index.bytes + this.rules.bytes + this.subscribers.bytes,
    }
  }

  checksum(): string {
    const { index, rules, subscribers } = this
    const sum = new Checksum()
    const keys = new Map<number, string>()
    for (const subscriber of subscribers.all()) {
      const term = subscribers.term(subscriber)
      const rule = subscribers.rules(subscriber) >>> 1
      const key = keys.get(rule) ?? rules.key(rule)
      keys.set(rule, key)
      sum.add(
        subscribers.made(subscriber),
        term === NONE ? '' : index.textOf(term),
        (subscribers.rules(subscriber) & 1) === 1,
        key,
      )
    }
    return sum.toString()
  }
}

function notShared(id: string): RangeError {
  return new RangeError(
    `a matcher that other threads read needs UUIDs in lower case as ids: ${JSON.stringify(id.slice(0, 100))} is none`,
  )
}
