import { GrowingTrie } from './growing-trie.ts'
import { bufferOf, grownInt32, Runs, stayingInt32 } from './memory.ts'
import { lengthOf, type MatchPhrase, PhraseReader } from './phrase.ts'
import { ADDRESS, type Packed, SYMBOLS } from './phrase-flags.ts'
import type { SequenceWriting } from './sequence.ts'
import { bytesOf, int32From, isPowerOfTwo, type SavedState } from './snapshot.ts'
import {
  charactersOf,
  LINK_SALT,
  salted,
  TERM_HEAD,
  TERM_NEXT,
  TERM_PACKED,
  TERM_TEXT,
  TermIndex,
} from './term-index.ts'
import { filterWords, NONE } from './token-trie.ts'

/** The finder reads this far without a length check. */
const READ_AHEAD = 16
/** Averages of announced terms. */
const RESERVED_WORDS = 12
const RESERVED_PATHS = 2

export class TermRegister extends TermIndex {
  declare readonly trie: GrowingTrie
  count = 0
  /** Keeps prefetches from being optimised away. */
  private touched = 0
  private readonly reader: PhraseReader
  /** Odd places and even lengths leave a bit to the payload of a slot. */
  private runs = new Runs(1)

  constructor(multiplier: number) {
    super(new GrowingTrie())
    this.reader = new PhraseReader(multiplier)
  }

  get bytes(): number {
    return this.trie.bytes + this.arena.byteLength
  }

  /** Arrays that other threads read no longer move. */
  share(writing: SequenceWriting): void {
    this.trie.share(writing)
    this.use(stayingInt32(this.arena))
  }

  get buffers() {
    return { table: bufferOf(this.trie.table), filter: bufferOf(this.trie.filter), arena: bufferOf(this.arena) }
  }

  /** Null when nothing visible is left of the term; valid until the next read. */
  read(text: string, caseSensitive: boolean): MatchPhrase | null {
    const phrase = this.reader.term(text, caseSensitive)
    if (phrase !== null) this.touched ^= this.trie.fetch(phrase.path[0]!, phrase.path, phrase.depth)
    return phrase
  }

  find(phrase: MatchPhrase): number {
    const { packed, path, depth } = phrase
    for (let term = this.trie.headOfPath(path[0]!, path, depth); term !== NONE; term = this.arena[term + TERM_NEXT]!) {
      if (this.arena[term + TERM_PACKED] === packed && this.holds(term, phrase)) return term
    }
    return NONE
  }

  /** For a term and its twin. Not within a change. */
  makeRoom(phrase: MatchPhrase): void {
    this.trie.makeRoom(2 * phrase.depth)
  }

  /** Adds a new term, for which there is room. */
  add(phrase: MatchPhrase): number {
    const { packed, path, depth } = phrase
    const term = this.record(phrase, NONE)
    this.link(path[0]!, path, depth, term)
    this.count += 1
    if ((packed & SYMBOLS) !== 0) this.symbols += 1
    if ((packed & ADDRESS) !== 0) {
      this.addresses += 1
      this.link(salted(path[0]!, LINK_SALT), path, depth, this.record(phrase, -2 - term))
    }
    return term
  }

  reserve(terms: number): void {
    this.growArena(this.runs.needed + RESERVED_WORDS * terms)
    this.trie.reserve(RESERVED_PATHS * terms)
  }

  release(term: number): void {
    const text = 2 * (term + TERM_TEXT)
    const known = this.arena[term + TERM_PACKED]!
    const { packed, path, depth } = this.reader.reread(this.characters, text, text + lengthOf(known), known)
    const first = path[0]!
    this.touched ^= this.trie.fetch(first, path, depth)
    this.unlink(first, path, depth, term)
    this.count -= 1
    if ((packed & SYMBOLS) !== 0) this.symbols -= 1
    if ((packed & ADDRESS) !== 0) {
      this.addresses -= 1
      const twin = this.twinOf(term, salted(first, LINK_SALT), path, depth)
      this.unlink(salted(first, LINK_SALT), path, depth, twin)
      this.runs.give(twin, wordsOf(packed))
    }
    this.runs.give(term, wordsOf(packed))
  }

  save(): SavedState {
    const { trie } = this
    return {
      numbers: {
        'terms.count': this.count,
        'terms.addresses': this.addresses,
        'terms.symbols': this.symbols,
        'terms.used': trie.used,
      },
      arrays: {
        'terms.table': bytesOf(trie.table),
        'terms.filter': bytesOf(trie.filter),
        'terms.arena': bytesOf(this.arena, this.runs.needed),
        'terms.free': bytesOf(this.runs.toNumbers()),
      },
    }
  }

  /** False when the saved state is invalid. */
  load({ numbers, arrays }: SavedState): boolean {
    const { 'terms.table': table, 'terms.filter': filter, 'terms.arena': arena, 'terms.free': free } = arrays
    if (!table || !filter || !arena || !free) return false
    const runs = Runs.fromNumbers(int32From(free))
    const slots = table.length / 8
    if (
      table.length % 8 !== 0 ||
      !isPowerOfTwo(slots) ||
      filter.length !== 4 * filterWords(slots) ||
      arena.length !== 4 * runs.needed
    )
      return false
    this.trie.load(int32From(table), int32From(filter), numbers['terms.used'] ?? 0)
    this.runs = runs
    this.use(int32From(arena, runs.needed + READ_AHEAD))
    this.count = numbers['terms.count'] ?? 0
    this.addresses = numbers['terms.addresses'] ?? 0
    this.symbols = numbers['terms.symbols'] ?? 0
    return true
  }

  setFirstSubscriber(term: number, subscriber: number): void {
    this.arena[term + TERM_HEAD] = subscriber
  }

  private holds(term: number, { units, offset, packed }: MatchPhrase): boolean {
    const { characters } = this
    const from = 2 * (term + TERM_TEXT)
    const length = lengthOf(packed)
    for (let at = 0; at < length; at += 1) if (characters[from + at] !== units[offset + at]) return false
    return true
  }

  private record({ packed, units, offset }: MatchPhrase, head: number): number {
    const term = this.runs.take(wordsOf(packed))
    this.growArena(this.runs.needed)
    const { arena, characters } = this
    arena[term + TERM_PACKED] = packed
    arena[term + TERM_HEAD] = head
    const from = 2 * (term + TERM_TEXT)
    const length = lengthOf(packed)
    for (let at = 0; at < length; at += 1) characters[from + at] = units[offset + at]!
    return term
  }

  private growArena(needed: number): void {
    if (needed + READ_AHEAD > this.arena.length) this.use(grownInt32(this.arena, needed + READ_AHEAD))
  }

  private use(arena: Int32Array): void {
    this.arena = arena
    this.characters = charactersOf(arena)
  }

  private link(first: number, path: Int32Array, depth: number, term: number): void {
    const slot = this.trie.add(first, path, depth)
    this.arena[term + TERM_NEXT] = this.trie.headAt(slot)
    this.trie.setHeadAt(slot, term)
  }

  private unlink(first: number, path: Int32Array, depth: number, term: number): void {
    const next = this.arena[term + TERM_NEXT]!
    const slot = this.trie.slotOfPath(first, path, depth)
    let before = this.trie.headAt(slot)
    if (before === term) {
      this.trie.setHeadAt(slot, next)
    } else {
      while (this.arena[before + TERM_NEXT] !== term) before = this.arena[before + TERM_NEXT]!
      this.arena[before + TERM_NEXT] = next
    }
    this.trie.remove(first, path, depth)
  }

  private twinOf(term: number, first: number, path: Int32Array, depth: number): number {
    let twin = this.trie.headOfPath(first, path, depth)
    while (this.arena[twin + TERM_HEAD] !== -2 - term) twin = this.arena[twin + TERM_NEXT]!
    return twin
  }
}

function wordsOf(packed: Packed): number {
  return (TERM_TEXT + ((lengthOf(packed) + 1) >>> 1) + 1) & ~1
}
