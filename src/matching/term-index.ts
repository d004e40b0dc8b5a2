import { sharedInt32 } from './memory.ts'
import { lengthOf } from './phrase.ts'
import { CASED } from './phrase-flags.ts'
import { TokenTrie } from './token-trie.ts'

/**
 * A term is a run of words in one arena, so that it touches little memory: packed phrase, next term of the path, first
 * subscriber, characters (two a word). Its number is the place of its first word.
 */
export const TERM_PACKED = 0
export const TERM_NEXT = 1
export const TERM_HEAD = 2
export const TERM_TEXT = 3

export const LINK_SALT = 0x51ed270b

export function salted(token: number, salt: number): number {
  const hash = token ^ salt
  return hash === 0 ? 1 : hash
}

/** An address has a twin on a path of its own, found in links only, whose head is -2 minus the term. */
export class TermIndex {
  readonly trie: TokenTrie
  arena: Int32Array
  characters: Uint16Array
  addresses = 0
  symbols = 0

  constructor(trie = new TokenTrie(), arena = sharedInt32(1024)) {
    this.trie = trie
    this.arena = arena
    this.characters = charactersOf(arena)
  }

  /** Folded, or plain when the case counts. */
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

export function charactersOf(arena: Int32Array): Uint16Array {
  return new Uint16Array(arena.buffer, 0, 2 * arena.length)
}
