import { randomInt } from 'node:crypto'
import { Acceptance, type Drop, EVERYBODY, type OwnedMatches, type TermHit } from './acceptance.ts'
import { Checksum } from './checksum.ts'
import type { MatchRules, MatchText } from './contract.ts'
import { type PlannedRule, RuleRegister } from './rule-register.ts'
import { newControl, Writing } from './sequence.ts'
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
  /** Distinct terms. */
  terms: number
  subscribers: number
  /** Bytes of the arrays that the index and its subscribers lie in. */
  bytes: number
}

/**
 * Matches texts against the terms and rules of many subscribers in one pass, and is changed in place. Ids are any
 * strings; UUIDs in their canonical lower-case form take up the least.
 */
export interface Matcher extends MatchReader {
  /**
   * Adds a subscriber, or replaces the rules and the owner of the one with this id. `owner` is a whole number from 0 to
   * 2,147,483,647 that means something to the caller alone. False, and nothing is touched, when all of it is so
   * already. Throws RangeError for a term or a phrase of more than 2,047 folded units, for another owner, and for an id
   * that is no UUID once the matcher is shared; nothing is changed then.
   */
  put(id: string, rules: MatchRules, owner?: number): boolean
  /** Forgets a subscriber; false when there is none with this id. */
  remove(id: string): boolean
  has(id: string): boolean
  /** The owner of a subscriber, or null when there is none with this id. */
  owner(id: string): number | null
  /** The ids of all subscribers, in no particular order. Those that come or go meanwhile may be among them or not. */
  ids(): IterableIterator<string>
  /** The distinct terms that the text holds, whoever subscribes to them and whatever their rules say. */
  hits(text: MatchText): TermHit[]
  /**
   * Makes room for this many more subscribers with terms of their own, of usual length, so that the tables are sized
   * once before a bulk load instead of growing through it. A hint: what is loaded in the end may be more or less.
   */
  reserve(terms: number): void
  /**
   * What `attachMatcher` needs to match in other threads against what is here, now and after every change, which they
   * see as soon as the call that makes it returns. Always the same. Throws RangeError when an id is no UUID.
   */
  share(): SharedMatcher
  /**
   * All that is loaded as bytes, from which `restoreMatcher` makes a matcher that is equal to this one; `label` is kept
   * with them, for what the caller needs to know about the moment. Holds the secret that the hashes depend on.
   */
  snapshot(label?: string): MatcherSnapshot
  stats(): MatcherStats
  /**
   * 16 hexadecimal digits that depend on what is loaded (owners left out) and not on the order; `checksumOf` computes
   * the same. Computed when it is asked for, from everything: more than a second for a million subscribers, in one go.
   */
  checksum(): string
}

const OWNER_MOST = 2 ** 31 - 1

export interface MatcherOptions {
  /** Makes the hashes of two matchers the same; a secret one is drawn when it is left out. Any whole number. */
  seed?: number
}

export function createMatcher(options: MatcherOptions = {}): Matcher {
  return new HashMatcher(multiplierOf(options.seed ?? randomInt(2 ** 31)))
}

/** A matcher from a snapshot, and the label that was kept with it; or why the bytes are of no use. */
export type Restored =
  | { matcher: Matcher; label: string; refused: null }
  | { matcher: null; label: null; refused: SnapshotRefusal }

/**
 * Makes a matcher of the chunks of a snapshot put together. Never throws, whatever the bytes. They are not needed any
 * more afterwards.
 */
export function restoreMatcher(bytes: Uint8Array): Restored {
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
  private writing: Writing | null = null
  private shared: SharedMatcher | null = null
  /** Keeps reads whose only purpose is to fill the cache from being optimised away. */
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
    // After the term, so that the places of both are fetched from memory at the same time.
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

  /** The new comes before the old goes, so that what both share is not forgotten in between. */
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

  /** Forgets a subscriber, if there is one with this id, and its term when nobody else has it, `keptTerm` excepted. */
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
    const writing = new Writing(control)
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

  /** Takes over a snapshot while nothing is here yet; false when it cannot be one. */
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

  private publish(writing: Writing): void {
    const { index, rules, subscribers } = this
    // Arrays only ever grow, so their lengths together are another number whenever one is.
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
