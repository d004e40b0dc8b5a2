import { Acceptance, type Drop, EVERYBODY, type OwnedMatches } from './acceptance.ts'
import type { MatchText } from './contract.ts'
import { RuleBook } from './rule-book.ts'
import { ADDRESS_TERMS, LAYOUT, MASK, SequenceReading, SIZE, SYMBOL_TERMS } from './sequence.ts'
import { Subscribers } from './subscribers.ts'
import { charactersOf, TermIndex } from './term-index.ts'
import { shiftOf } from './token-trie.ts'

/** Send it by message or `workerData` to `attachMatcher`. Memory is shared, nothing is copied. */
export interface SharedMatcher {
  multiplier: number
  control: SharedArrayBuffer
  buffers: Record<SharedPart, SharedArrayBuffer>
}

export type SharedPart = 'table' | 'filter' | 'arena' | 'records' | 'owners' | 'rules' | 'words' | 'phrases' | 'pool'

export interface MatchReader {
  /**
   * Distinct ids of one moment during the call, in no particular order. Under heavy writing it may wait for a pause,
   * usually under 1 ms. Throws after about ten seconds when the writer stopped within a change.
   */
  match(text: MatchText): string[]
  matchOwned(text: MatchText): OwnedMatches
  /**
   * Subscribers that dropped the last text by a rule, without those of another scope and those that `wants` refused.
   */
  readonly dropped: number
  /**
   * At most 100, from a random start. Costs a match. What `wants` refuses is left out, here and in `dropped`, until
   * `tellOfAll`, because its number may be reused.
   */
  drops(text: MatchText, wants?: (id: string) => boolean): Drop[]
  /** Each reader has its own refusals. */
  tellOfAll(): void
  readonly size: number
}

export function attachMatcher(shared: SharedMatcher): MatchReader {
  return new SharedReader(shared)
}

class SharedReader implements MatchReader {
  private readonly shared: SharedMatcher
  private readonly reading: SequenceReading
  private readonly index = new TermIndex()
  private readonly rules = new RuleBook()
  private readonly subscribers = new Subscribers()
  private readonly acceptance: Acceptance
  private layout = -1
  private mask = -1

  constructor(shared: SharedMatcher) {
    this.shared = shared
    this.reading = new SequenceReading(shared.control)
    this.acceptance = new Acceptance(this.index, this.rules, this.subscribers, shared.multiplier, this.reading)
  }

  get size(): number {
    return Atomics.load(this.reading.cells, SIZE)
  }

  match(text: MatchText): string[] {
    this.acceptance.read(text)
    return this.reading.consistent(this.ids)
  }

  matchOwned(text: MatchText): OwnedMatches {
    this.acceptance.read(text)
    return this.reading.consistent(this.owned)
  }

  get dropped(): number {
    return this.acceptance.dropped
  }

  drops(text: MatchText, wants: (id: string) => boolean = EVERYBODY): Drop[] {
    this.acceptance.read(text)
    return this.acceptance.wanted(this.reading.consistent(this.droppedBy), wants)
  }

  tellOfAll(): void {
    this.acceptance.tellOfAll()
  }

  private readonly droppedBy = () => {
    this.look()
    return this.acceptance.drops()
  }

  private readonly ids = () => {
    this.look()
    return this.acceptance.ids()
  }

  private readonly owned = () => {
    this.look()
    return this.acceptance.owned()
  }

  /** Buffers never change, only their lengths. */
  private look(): void {
    const { index } = this
    const { cells } = this.reading
    index.symbols = cells[SYMBOL_TERMS]!
    index.addresses = cells[ADDRESS_TERMS]!
    // Loaded before the buffer lengths, so that no table is longer than its view.
    const layout = Atomics.load(cells, LAYOUT)
    const mask = Atomics.load(cells, MASK)
    if (layout === this.layout && mask === this.mask) return
    this.layout = layout
    this.mask = mask
    this.viewAll(mask + 1)
  }

  private viewAll(slots: number): void {
    const { index, rules, subscribers } = this
    const { buffers } = this.shared
    index.trie.table = int32(buffers.table)
    index.trie.filter = int32(buffers.filter)
    index.trie.mask = slots - 1
    index.trie.filterShift = shiftOf(slots)
    index.arena = int32(buffers.arena)
    index.characters = charactersOf(index.arena)
    subscribers.records = int32(buffers.records)
    subscribers.owners = int32(buffers.owners)
    rules.use({
      rules: int32(buffers.rules),
      words: int32(buffers.words),
      phrases: int32(buffers.phrases),
      pool: uint16(buffers.pool),
    })
  }
}

/** Faster than length-tracking: see memory.ts. */
function int32(buffer: SharedArrayBuffer): Int32Array {
  return new Int32Array(buffer, 0, buffer.byteLength >>> 2)
}

function uint16(buffer: SharedArrayBuffer): Uint16Array {
  return new Uint16Array(buffer, 0, buffer.byteLength >>> 1)
}
