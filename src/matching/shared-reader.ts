import { Acceptance, type Drop, EVERYBODY, type OwnedMatches } from './acceptance.ts'
import type { MatchText } from './contract.ts'
import { RuleBook } from './rule-book.ts'
import { ADDRESS_TERMS, LAYOUT, MASK, Reading, SIZE, SYMBOL_TERMS } from './sequence.ts'
import { Subscribers } from './subscribers.ts'
import { charactersOf, TermIndex } from './term-index.ts'
import { shiftOf } from './token-trie.ts'

/**
 * A matcher for other threads: post it to as many as you like, or hand it to them as `workerData`, and give it to
 * `attachMatcher` there. Nothing is copied; all of it is memory that the threads share.
 */
export interface SharedMatcher {
  multiplier: number
  control: SharedArrayBuffer
  buffers: Record<SharedPart, SharedArrayBuffer>
}

export type SharedPart = 'table' | 'filter' | 'arena' | 'records' | 'owners' | 'rules' | 'words' | 'phrases' | 'pool'

/** Matches texts against what another thread loads and changes. */
export interface MatchReader {
  /**
   * The ids of all subscribers that accept the text, each once, in no particular order: as of one moment between the
   * call and the answer. While the writer changes very much it may wait for a pause, usually less than a millisecond.
   * Throws when the writing thread was stopped in the middle of a change, after about ten seconds.
   */
  match(text: MatchText): string[]
  /** The same, with the owner of each. */
  matchOwned(text: MatchText): OwnedMatches
  /**
   * How many of those whose terms stand in the text of the last `match` or `matchOwned` have a rule that dropped it,
   * beside those that do not look where it stands and those of whom nobody wants to be told.
   */
  readonly dropped: number
  /**
   * Who they are for a text, and which rule it was; at most a hundred, beginning anywhere among more. Takes as long as
   * a match. Whom `wants` refuses is left out, here and from `dropped`, until `tellOfAll` is called: by then it may be
   * another subscriber that has taken the place of the one that was refused.
   */
  drops(text: MatchText, wants?: (id: string) => boolean): Drop[]
  /** Forgets whom `wants` has refused. Each reader has its own. */
  tellOfAll(): void
  readonly size: number
}

export function attachMatcher(shared: SharedMatcher): MatchReader {
  return new SharedReader(shared)
}

class SharedReader implements MatchReader {
  private readonly shared: SharedMatcher
  private readonly reading: Reading
  private readonly index = new TermIndex()
  private readonly rules = new RuleBook()
  private readonly subscribers = new Subscribers()
  private readonly acceptance: Acceptance
  private layout = -1
  private mask = -1

  constructor(shared: SharedMatcher) {
    this.shared = shared
    this.reading = new Reading(shared.control)
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

  /** Takes over what the writer has published; the buffers are the same for ever, only their length changes. */
  private look(): void {
    const { index } = this
    const { cells } = this.reading
    index.symbols = cells[SYMBOL_TERMS]!
    index.addresses = cells[ADDRESS_TERMS]!
    // Loaded before the lengths of the buffers are, so that no table is taken for longer than what is seen of it.
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

/** Views of a fixed length: memory.ts says why. */
function int32(buffer: SharedArrayBuffer): Int32Array {
  return new Int32Array(buffer, 0, buffer.byteLength >>> 2)
}

function uint16(buffer: SharedArrayBuffer): Uint16Array {
  return new Uint16Array(buffer, 0, buffer.byteLength >>> 1)
}
