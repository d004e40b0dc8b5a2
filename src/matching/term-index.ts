import { sharedInt32 } from './memory.ts'
import { lengthOf } from './phrase.ts'
import { CASED } from './phrase-flags.ts'
import { TokenTrie } from './token-trie.ts'

/**
 * A term is a run of 32-bit words in one arena, so that reading it touches as little memory as can be: its packed
 * phrase, the next term at the same path, its first subscriber, then its characters, two a word. Its number is the
 * place of its first word.
 */
export const TERM_PACKED = 0
export const TERM_NEXT = 1
export const TERM_HEAD = 2
export const TERM_TEXT = 3

/** What the first token of a path is changed by when it is looked for in links. */
export const LINK_SALT = 0x51ed270b

/** The hash under which a path starts where tokens are changed by this. */
export function salted(token: number, salt: number): number {
  const hash = token ^ salt
  return hash === 0 ? 1 : hash
}

/**
 * The distinct terms, as they are read; term-register.ts changes them. A term that looks like an address has a twin at
 * a path of its own, found in links only; the twin's subscribers are those of the term, which its head names (as -2
 * minus the term).
 */
export class TermIndex {
  readonly trie: TokenTrie
  arena: Int32Array
  /** The arena as characters. */
  characters: Uint16Array
  /** How many of the distinct terms are addresses or symbols. */
  addresses = 0
  symbols = 0

  constructor(trie = new TokenTrie(), arena = sharedInt32(1024)) {
    this.trie = trie
    this.arena = arena
    this.characters = charactersOf(arena)
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
}

/** The same memory as characters. */
export function charactersOf(arena: Int32Array): Uint16Array {
  return new Uint16Array(arena.buffer, 0, 2 * arena.length)
}
