import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { stemHash } from '../../src/classify/offline/text/terms.ts'

/**
 * The lexicon of VADER (MIT): a line for each word or smiley, with the mean of what ten people said from -4, most
 * negative, to 4.
 */
const FILE = 'vader-sentiment/vader_lexicon.txt'
const MOST = 4
/** Posts hold enough of smileys and of words with digits, and many of them share a sign. */
const WORD = /^[a-z]{2,}$/

/**
 * How people rate words that stand alone, from -1, most negative, to 1, by their stems. Forms of one stem share their
 * mean.
 */
export function lexicon(): ReadonlyMap<number, number> {
  const sums = new Map<number, { ratings: number; words: number }>()
  for (const line of readFileSync(createRequire(import.meta.url).resolve(FILE), 'utf8').split('\n')) {
    const [word, rating] = line.split('\t')
    if (!WORD.test(word!)) continue
    const stem = stemHash(word!, 0, word!.length)
    const { ratings, words } = sums.get(stem) ?? { ratings: 0, words: 0 }
    sums.set(stem, { ratings: ratings + Number(rating), words: words + 1 })
  }
  return new Map([...sums].map(([stem, { ratings, words }]) => [stem, ratings / words / MOST]))
}
