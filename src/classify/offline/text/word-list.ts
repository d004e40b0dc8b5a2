import { readWordList } from '../../../kernel/word-list.ts'
import { hashOfWord } from './tokens.ts'

/** `<path>.txt` in `offline`, in file order. */
export function wordsOfList(path: string): string[] {
  return readWordList(`classify/offline/${path}`)
}

export function hashesOfList(path: string): ReadonlySet<number> {
  return new Set(wordsOfList(path).map(hashOfWord))
}
