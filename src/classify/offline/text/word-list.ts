import { readWordList } from '../../../kernel/word-list.ts'
import { hashOfWord } from './tokens.ts'

/** The words of the list `<path>.txt` in the folder `offline`, in the order of the file. */
export function wordsOfList(path: string): string[] {
  return readWordList(`classify/offline/${path}`)
}

/** The hashes that the words of the list have as tokens. */
export function hashesOfList(path: string): ReadonlySet<number> {
  return new Set(wordsOfList(path).map(hashOfWord))
}
