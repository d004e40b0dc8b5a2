import { grownInt32, Runs, sharedInt32 } from './memory.ts'
import { lengthOf, type Phrase, PhraseReader } from './phrase.ts'
import { ADDRESS, CASED, SYMBOLS } from './phrase-flags.ts'
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
  arena = sharedInt32(1024)
  /** The arena as characters. */
  characters = new Uint16Array(this.arena.buffer)
  /** Distinct terms, and how many of them are addresses or symbols. */
  count = 0
  addresses = 0
  symbols = 0
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
    const phrase = this.reader.reread(this.textOf(term), this.arena[term + TERM_PACKED]!)
    const path = pathOf(phrase)
    this.unlink(path[0]!, path, term)
    this.count -= 1
    if ((phrase.packed & SYMBOLS) !== 0) this.symbols -= 1
    if ((phrase.packed & ADDRESS) !== 0) {
      this.addresses -= 1
      const first = inLinks(path[0]!)
      const twin = this.twinOf(term, first, path)
      this.unlink(first, path, twin)
      this.runs.give(twin, wordsOf(phrase.characters))
    }
    this.runs.give(term, wordsOf(phrase.characters))
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

  private lookUp(path: Int32Array, phrase: Phrase): number {
    for (let term = this.trie.headOfPath(path[0]!, path); term !== NONE; term = this.arena[term + TERM_NEXT]!) {
      if (this.arena[term + TERM_PACKED] === phrase.packed && this.holds(term, phrase.characters)) return term
    }
    return NONE
  }

  private holds(term: number, text: string): boolean {
    const from = 2 * (term + TERM_TEXT)
    for (let at = 0; at < text.length; at += 1) if (this.characters[from + at] !== text.charCodeAt(at)) return false
    return true
  }

  private add(phrase: Phrase, path: Int32Array): number {
    const term = this.record(phrase, NONE)
    this.link(path[0]!, path, term)
    this.count += 1
    if ((phrase.packed & SYMBOLS) !== 0) this.symbols += 1
    if ((phrase.packed & ADDRESS) !== 0) {
      this.addresses += 1
      this.link(inLinks(path[0]!), path, this.record(phrase, -2 - term))
    }
    return term
  }

  private record(phrase: Phrase, head: number): number {
    const { characters: text, packed } = phrase
    const term = this.runs.take(wordsOf(text))
    this.arena = grownInt32(this.arena, this.runs.needed + READ_AHEAD)
    if (this.characters.buffer !== this.arena.buffer) this.characters = new Uint16Array(this.arena.buffer)
    this.arena[term + TERM_PACKED] = packed
    this.arena[term + TERM_HEAD] = head
    const from = 2 * (term + TERM_TEXT)
    for (let at = 0; at < text.length; at += 1) this.characters[from + at] = text.charCodeAt(at)
    return term
  }

  private link(first: number, path: Int32Array, term: number): void {
    const hash = this.trie.add(first, path)
    this.arena[term + TERM_NEXT] = this.trie.head(hash)
    this.trie.setHead(hash, term)
  }

  private unlink(first: number, path: Int32Array, term: number): void {
    const next = this.arena[term + TERM_NEXT]!
    const hash = this.trie.hashOfPath(first, path)
    let before = this.trie.head(hash)
    if (before === term) {
      this.trie.setHead(hash, next)
    } else {
      while (this.arena[before + TERM_NEXT] !== term) before = this.arena[before + TERM_NEXT]!
      this.arena[before + TERM_NEXT] = next
    }
    this.trie.remove(first, path)
  }

  private twinOf(term: number, first: number, path: Int32Array): number {
    let twin = this.trie.headOfPath(first, path)
    while (this.arena[twin + TERM_HEAD] !== -2 - term) twin = this.arena[twin + TERM_NEXT]!
    return twin
  }
}

/** The length of the run of a term. */
function wordsOf(text: string): number {
  return TERM_TEXT + Math.ceil(text.length / 2)
}

/** The path at which a phrase lies in the trie. Symbols lie at their first unit, or their first two unless a gap follows. */
function pathOf(phrase: Phrase): Int32Array {
  if ((phrase.packed & SYMBOLS) === 0) return phrase.path
  const [first, second] = [phrase.characters.charCodeAt(0), phrase.characters.charCodeAt(1)]
  return second === 0x20 || Number.isNaN(second) ? Int32Array.of(symbolHash(first)) : Int32Array.of(symbolHash(first), symbolHash(second))
}
