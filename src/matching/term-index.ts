import { grownInt32, grownUint16, Runs, sharedInt32, sharedUint16 } from './memory.ts'
import { ADDRESS, CASED, lengthOf, type Phrase, PhraseReader, SYMBOLS } from './phrase.ts'
import { NONE, TokenTrie } from './token-trie.ts'

/** Of each term: where its characters lie, its packed phrase, the next term at the same path, the first subscriber. */
export const TERM_FIELDS = 4
export const TERM_OFFSET = 0
export const TERM_PACKED = 1
export const TERM_NEXT = 2
export const TERM_HEAD = 3

/** What the first token of a path is changed by when it is looked for in links, and when it is a symbol. */
export const LINK_SALT = 0x51ed270b
export const SYMBOL_SALT = 0x2545f491

/** The hash under which a path starts in links. */
export function inLinks(token: number): number {
  const hash = token ^ LINK_SALT
  return hash === 0 ? 1 : hash
}

/** The hash of a symbol, one UTF-16 unit, as a path. */
export function symbolHash(unit: number): number {
  return Math.imul(unit + 1, SYMBOL_SALT) | 1
}

/**
 * The distinct terms. A term that looks like an address has a twin at a path of its own, found in links only; the
 * twin's subscribers are those of the term, which its head names (as -2 minus the term).
 */
export class TermIndex {
  readonly trie = new TokenTrie()
  terms = sharedInt32(TERM_FIELDS * 64)
  pool = sharedUint16(1024)
  /** Distinct terms, and how many of them are addresses or symbols. */
  count = 0
  addresses = 0
  symbols = 0
  private readonly reader: PhraseReader
  private readonly texts = new Runs()
  private readonly records = new Runs()

  constructor(multiplier: number) {
    this.reader = new PhraseReader(multiplier)
  }

  get bytes(): number {
    return this.trie.bytes + this.terms.byteLength + this.pool.byteLength
  }

  /** The number of a term, added when it is new; NONE when nothing visible is left of it. */
  intern(text: string, caseSensitive: boolean): number {
    const phrase = this.reader.term(text, caseSensitive)
    if (phrase === null) return NONE
    const path = pathOf(phrase)
    const known = this.lookUp(path, phrase)
    return known === NONE ? this.add(phrase, path) : known
  }

  /** The number of a term that is known, or NONE. */
  find(text: string, caseSensitive: boolean): number {
    const phrase = this.reader.term(text, caseSensitive)
    return phrase === null ? NONE : this.lookUp(pathOf(phrase), phrase)
  }

  /** Forgets a term that has no subscribers any more. */
  release(term: number): void {
    const phrase = this.reader.reread(this.characters(term), this.field(term, TERM_PACKED))
    const path = pathOf(phrase)
    this.unlink(path[0]!, path, term)
    this.count -= 1
    if ((phrase.packed & SYMBOLS) !== 0) this.symbols -= 1
    if ((phrase.packed & ADDRESS) !== 0) {
      this.addresses -= 1
      const first = inLinks(path[0]!)
      const twin = this.twinOf(term, first, path)
      this.unlink(first, path, twin)
      this.records.give(TERM_FIELDS * twin, TERM_FIELDS)
    }
    this.texts.give(this.field(term, TERM_OFFSET), phrase.characters.length)
    this.records.give(TERM_FIELDS * term, TERM_FIELDS)
  }

  /** The characters of a term: folded, or plain when its case counts. */
  characters(term: number): string {
    const offset = this.field(term, TERM_OFFSET)
    return String.fromCharCode(...this.pool.subarray(offset, offset + lengthOf(this.field(term, TERM_PACKED))))
  }

  isCased(term: number): boolean {
    return (this.field(term, TERM_PACKED) & CASED) !== 0
  }

  firstSubscriber(term: number): number {
    return this.field(term, TERM_HEAD)
  }

  setFirstSubscriber(term: number, subscriber: number): void {
    this.terms[TERM_FIELDS * term + TERM_HEAD] = subscriber
  }

  private field(term: number, field: number): number {
    return this.terms[TERM_FIELDS * term + field]!
  }

  private lookUp(path: Int32Array, phrase: Phrase): number {
    for (let term = this.trie.headOfPath(path[0]!, path); term !== NONE; term = this.field(term, TERM_NEXT)) {
      if (this.field(term, TERM_PACKED) === phrase.packed && this.holds(term, phrase.characters)) return term
    }
    return NONE
  }

  private holds(term: number, characters: string): boolean {
    const offset = this.field(term, TERM_OFFSET)
    for (let at = 0; at < characters.length; at += 1) if (this.pool[offset + at] !== characters.charCodeAt(at)) return false
    return true
  }

  private add(phrase: Phrase, path: Int32Array): number {
    const { characters, packed } = phrase
    const offset = this.texts.take(characters.length)
    this.pool = grownUint16(this.pool, this.texts.needed)
    for (let at = 0; at < characters.length; at += 1) this.pool[offset + at] = characters.charCodeAt(at)
    const term = this.record(offset, packed, NONE)
    this.link(path[0]!, path, term)
    this.count += 1
    if ((packed & SYMBOLS) !== 0) this.symbols += 1
    if ((packed & ADDRESS) !== 0) {
      this.addresses += 1
      this.link(inLinks(path[0]!), path, this.record(offset, packed, -2 - term))
    }
    return term
  }

  private record(offset: number, packed: number, head: number): number {
    const at = this.records.take(TERM_FIELDS)
    this.terms = grownInt32(this.terms, this.records.needed)
    this.terms[at + TERM_OFFSET] = offset
    this.terms[at + TERM_PACKED] = packed
    this.terms[at + TERM_HEAD] = head
    return at / TERM_FIELDS
  }

  private link(first: number, path: Int32Array, term: number): void {
    const hash = this.trie.add(first, path)
    this.terms[TERM_FIELDS * term + TERM_NEXT] = this.trie.head(hash)
    this.trie.setHead(hash, term)
  }

  private unlink(first: number, path: Int32Array, term: number): void {
    const next = this.field(term, TERM_NEXT)
    const hash = this.trie.hashOfPath(first, path)
    let before = this.trie.head(hash)
    if (before === term) {
      this.trie.setHead(hash, next)
    } else {
      while (this.field(before, TERM_NEXT) !== term) before = this.field(before, TERM_NEXT)
      this.terms[TERM_FIELDS * before + TERM_NEXT] = next
    }
    this.trie.remove(first, path)
  }

  private twinOf(term: number, first: number, path: Int32Array): number {
    let twin = this.trie.headOfPath(first, path)
    while (this.field(twin, TERM_HEAD) !== -2 - term) twin = this.field(twin, TERM_NEXT)
    return twin
  }
}

/** The path at which a phrase lies in the trie. Symbols lie at their first unit, or their first two unless a gap follows. */
function pathOf(phrase: Phrase): Int32Array {
  if ((phrase.packed & SYMBOLS) === 0) return phrase.path
  const [first, second] = [phrase.characters.charCodeAt(0), phrase.characters.charCodeAt(1)]
  return second === 0x20 || Number.isNaN(second) ? Int32Array.of(symbolHash(first)) : Int32Array.of(symbolHash(first), symbolHash(second))
}
