import { createHash } from 'node:crypto'
import { newUuid, type Uuid } from '../../src/kernel/ids.ts'
import { searchWords } from '../../src/matching/index.ts'
import { readTexts } from '../texts.ts'

/** A keyword and the workspace that watches it. */
export interface Watched {
  workspaceId: Uuid
  keywordId: Uuid
}

/** The people and texts of the benchmark: the same in every run over one store. */
export interface Cast {
  texts: readonly { text: string; words: readonly string[] }[]
  /** The keywords of the one large workspace, then those of the many others. */
  large: readonly Watched[]
  others: readonly Watched[]
}

/** Words beside those of the texts: the made-up author's names. */
export const AUTHOR_KEYS = 1
const WORDS_ADDED = 7

/**
 * The texts with their distinct words. Short ones are lengthened by the beginning of another, so that a post has about
 * 30 words as most platforms' posts do.
 */
export async function readCastTexts(): Promise<Cast['texts']> {
  const texts = await readTexts()
  return texts.map((text, at) => {
    const other = texts[(at * 31 + 17) % texts.length]!.split(' ').slice(0, WORDS_ADDED).join(' ')
    const whole = `${text} ${other}`
    return { text: whole, words: searchWords([whole]) }
  })
}

/** The id of the numbered post of the prepared store, as the server makes it too: md5 of the number. */
export function preparedPostId(number: number): Buffer {
  return createHash('md5').update(String(number)).digest()
}

/** Time-ordered ids, evenly spread over a span that ends at an instant. */
export function idAt(number: number, count: number, end: Date, spanMs: number): Uuid {
  const ms = end.getTime() - spanMs + Math.floor((spanMs * number) / count)
  const time = ms.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}${newUuid(end).slice(13)}` as Uuid
}
