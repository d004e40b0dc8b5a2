import { DUTCH } from './function-words/dutch.data.ts'
import { ENGLISH } from './function-words/english.data.ts'
import { FRENCH } from './function-words/french.data.ts'
import { GERMAN } from './function-words/german.data.ts'
import { INDONESIAN } from './function-words/indonesian.data.ts'
import { ITALIAN } from './function-words/italian.data.ts'
import { PORTUGUESE } from './function-words/portuguese.data.ts'
import { SPANISH } from './function-words/spanish.data.ts'

/**
 * Excluded from suggestions while relevant posts use the language; where all its posts are noise, function words are
 * the best sign of it.
 */
export const LANGUAGES: readonly string[] = [ENGLISH, GERMAN, SPANISH, PORTUGUESE, FRENCH, ITALIAN, DUTCH, INDONESIAN]

const LISTS = LANGUAGES.map((words) => new Set(words.trim().split('\n')))

/** Distinct function words that assign a post to a language. */
const WORDS_OF_LANGUAGE = 2
/** Share of relevant posts from which on a language counts. */
const SPOKEN_SHARE = 0.08
const TELLING_POSTS = 15

/** Of all languages when there are too few posts. */
export function functionWordsOf(relevant: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  const spoken = LISTS.filter((list) => relevant.length < TELLING_POSTS || shareIn(list, relevant) >= SPOKEN_SHARE)
  return new Set(spoken.flatMap((list) => [...list]))
}

function shareIn(list: ReadonlySet<string>, posts: readonly ReadonlySet<string>[]): number {
  const inLanguage = posts.filter((words) => [...words].filter((word) => list.has(word)).length >= WORDS_OF_LANGUAGE)
  return inLanguage.length / posts.length
}
