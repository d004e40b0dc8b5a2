import { readWordList } from '../../../kernel/word-list.ts'
import { hashOfWord } from './tokens.ts'

/** The list is `<path>.txt` in the folder `offline`; words keep the order of the file. */
export function wordsOfList(path: string): string[] {
  return readWordList(`classify/offline/${path}`)
}

export function hashesOfList(path: string): ReadonlySet<number> {
  return new Set(wordsOfList(path).map(hashOfWord))
}
