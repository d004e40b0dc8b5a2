import { DUTCH } from './function-words/dutch.data.ts'
import { ENGLISH } from './function-words/english.data.ts'
import { FRENCH } from './function-words/french.data.ts'
import { GERMAN } from './function-words/german.data.ts'
import { INDONESIAN } from './function-words/indonesian.data.ts'
import { ITALIAN } from './function-words/italian.data.ts'
import { PORTUGUESE } from './function-words/portuguese.data.ts'
import { SPANISH } from './function-words/spanish.data.ts'

/**
 * Words that say nothing of what a post is about, by language. They are kept out of suggestions for as long as relevant
 * posts are in that language; where all posts of a language are noise, its function words are the best sign of it.
 */
export const LANGUAGES: readonly string[] = [ENGLISH, GERMAN, SPANISH, PORTUGUESE, FRENCH, ITALIAN, DUTCH, INDONESIAN]

const LISTS = LANGUAGES.map((words) => new Set(words.trim().split('\n')))

/** A post is taken to be in a language with so many different function words of it. */
const WORDS_OF_LANGUAGE = 2
/** A language counts as one of the keyword's from this share of its relevant posts on. */
const SPOKEN_SHARE = 0.08
const TELLING_POSTS = 15

/**
 * The function words of the languages that relevant posts are in; of all languages when there are too few posts to
 * tell.
 */
export function functionWordsOf(relevant: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  const spoken = LISTS.filter((list) => relevant.length < TELLING_POSTS || shareIn(list, relevant) >= SPOKEN_SHARE)
  return new Set(spoken.flatMap((list) => [...list]))
}

function shareIn(list: ReadonlySet<string>, posts: readonly ReadonlySet<string>[]): number {
  const inLanguage = posts.filter((words) => [...words].filter((word) => list.has(word)).length >= WORDS_OF_LANGUAGE)
  return inLanguage.length / posts.length
}
