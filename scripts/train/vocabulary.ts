import { type Directions, keyOf } from '../../src/classify/offline/model/directions.ts'

/** The words and signs that are told apart: `MoodTexts.word` counts through the first and then through the second. */
export interface Vocabulary {
  /** Those whose vectors are learned. */
  signs: readonly number[]
  /** Those that stand in too few texts for that. */
  seldom: readonly number[]
}

/**
 * Words and signs with a vector of their own, besides those that people rated: those in so many texts, and the
 * commonest of them.
 */
const LEAST_TEXTS = 6
const MOST_WORDS = 16_000

/**
 * The commonest signs, those that people rated, and apart from them those of which no more than a direction is known.
 */
export function vocabularyOf(
  texts: readonly Int32Array[],
  directions: Directions,
  ratings: ReadonlyMap<number, number>,
): Vocabulary {
  const counts = new Map<number, number>()
  for (const own of texts)
    for (const sign of new Set(own)) if (sign !== 0) counts.set(sign, (counts.get(sign) ?? 0) + 1)
  const commonest = [...counts]
    .filter(([, count]) => count >= LEAST_TEXTS)
    .sort((first, second) => second[1] - first[1] || first[0] - second[0])
    .slice(0, MOST_WORDS)
    .map(([sign]) => sign)
  // Of signs with the same key the most common one has it.
  const byKey = new Map([...commonest, ...ratings.keys()].reverse().map((sign) => [keyOf(sign), sign]))
  const signs = [...byKey].sort((first, second) => first[0] - second[0]).map(([, sign]) => sign)
  const seldom = [...counts.keys()].filter((sign) => !byKey.has(keyOf(sign)) && directions.placeOf(sign) >= 0)
  return { signs, seldom }
}
