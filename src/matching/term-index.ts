import { grownInt32, Runs, sharedInt32 } from './memory.ts'
import { lengthOf, type Phrase, PhraseReader } from './phrase.ts'
import { ADDRESS, CASED, type Packed, SYMBOLS } from './phrase-flags.ts'
import { NONE, TokenTrie } from './token-trie.ts'

/**
 * A term is a run of 32-bit words in one arena, so that reading it touches as little memory as can be: its packed
 * phrase, the next term at the same path, its first subscriber, then its characters, two a word. Its number is the
 * place of its first word.
 */
export const TERM_PACKED = 0
export const TERM_NEXT = 1
export const TERM_HEAD = 2
export const TERM_TEXT = 3

/** The finder reads this far behind the start of a term without asking how long it is. */
const READ_AHEAD = 16

/** What the first token of a path is changed by when it is looked for in links. */
const LINK_SALT = 0x51ed270b
/** Room that is kept for a term when many are announced: what keywords need on average, with their paths. */
const RESERVED_WORDS = 12
const RESERVED_PATHS = 2

/** The hash under which a path starts in links. */
export function inLinks(token: number): number {
  const hash = token ^ LINK_SALT
  return hash === 0 ? 1 : hash
}

/**
 * The distinct terms. A term that looks like an address has a twin at a path of its own, found in links only; the
 * twin's subscribers are those of the term, which its head names (as -2 minus the term).
 */
export class TermIndex {
  readonly trie = new TokenTrie()
  arena = sharedInt32(1024)
  /** The arena as characters. */
  characters = new Uint16Array(this.arena.buffer)
  /** Distinct terms, and how many of them are addresses or symbols. */
  count = 0
  addresses = 0
  symbols = 0
  /** Keeps reads whose only purpose is to fill the cache from being optimised away. */
  private touched = 0
  private readonly reader: PhraseReader
  private readonly runs = new Runs()

  constructor(multiplier: number) {
    this.reader = new PhraseReader(multiplier)
  }

  get bytes(): number {
    return this.trie.bytes + this.arena.byteLength
  }

  /** The number of a term, added when it is new; NONE when nothing visible is left of it. */
  intern(text: string, caseSensitive: boolean): number {
    const phrase = this.reader.term(text, caseSensitive)
    if (phrase === null) return NONE
    this.touched ^= this.trie.fetch(phrase.path[0]!, phrase.path, phrase.depth)
    const known = this.lookUp(phrase)
    return known === NONE ? this.add(phrase) : known
  }

  /** Makes room for this many more terms of usual length, so that nothing has to be moved while they are added. */
  reserve(terms: number): void {
    this.growArena(this.runs.needed + RESERVED_WORDS * terms)
    this.trie.reserve(RESERVED_PATHS * terms)
  }

  /** Forgets a term that has no subscribers any more. */
  release(term: number): void {
    const phrase = this.reader.reread(this.textOf(term), this.arena[term + TERM_PACKED]!)
    const { packed, path, depth } = phrase
    const first = path[0]!
    this.unlink(first, path, depth, term)
    this.count -= 1
    if ((packed & SYMBOLS) !== 0) this.symbols -= 1
    if ((packed & ADDRESS) !== 0) {
      this.addresses -= 1
      const twin = this.twinOf(term, inLinks(first), path, depth)
      this.unlink(inLinks(first), path, depth, twin)
      this.runs.give(twin, wordsOf(packed))
    }
    this.runs.give(term, wordsOf(packed))
  }

  /** The characters of a term: folded, or plain when its case counts. */
  textOf(term: number): string {
    const from = 2 * (term + TERM_TEXT)
    return String.fromCharCode(...this.characters.subarray(from, from + lengthOf(this.arena[term + TERM_PACKED]!)))
  }

  isCased(term: number): boolean {
    return (this.arena[term + TERM_PACKED]! & CASED) !== 0
  }

  firstSubscriber(term: number): number {
    return this.arena[term + TERM_HEAD]!
  }

  setFirstSubscriber(term: number, subscriber: number): void {
    this.arena[term + TERM_HEAD] = subscriber
  }

  private lookUp(phrase: Phrase): number {
    const { packed, path, depth } = phrase
    for (let term = this.trie.headOfPath(path[0]!, path, depth); term !== NONE; term = this.arena[term + TERM_NEXT]!) {
      if (this.arena[term + TERM_PACKED] === packed && this.holds(term, phrase)) return term
    }
    return NONE
  }

  private holds(term: number, { units, offset, packed }: Phrase): boolean {
    const { characters } = this
    const from = 2 * (term + TERM_TEXT)
    const length = lengthOf(packed)
    for (let at = 0; at < length; at += 1) if (characters[from + at] !== units[offset + at]) return false
    return true
  }

  private add(phrase: Phrase): number {
    const { packed, path, depth } = phrase
    const term = this.record(phrase, NONE)
    this.link(path[0]!, path, depth, term)
    this.count += 1
    if ((packed & SYMBOLS) !== 0) this.symbols += 1
    if ((packed & ADDRESS) !== 0) {
      this.addresses += 1
      this.link(inLinks(path[0]!), path, depth, this.record(phrase, -2 - term))
    }
    return term
  }

  private record({ packed, units, offset }: Phrase, head: number): number {
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
    this.arena = grownInt32(this.arena, needed + READ_AHEAD)
    if (this.characters.buffer !== this.arena.buffer) this.characters = new Uint16Array(this.arena.buffer)
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

/** The length of the run of a term. */
function wordsOf(packed: Packed): number {
  return TERM_TEXT + ((lengthOf(packed) + 1) >>> 1)
}
