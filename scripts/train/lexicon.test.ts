import { expect, test } from 'vitest'
import { stemHash } from '../../src/classify/offline/text/terms.ts'
import { newTokens, tokenise } from '../../src/classify/offline/text/tokens.ts'
import { lexicon } from './lexicon.ts'

const ratings = lexicon()
const ratingOf = (word: string) => ratings.get(stemHash(word, 0, word.length))

test('words are rated from -1 to 1', () => {
  expect(ratings.size).toBeGreaterThan(4000)
  for (const rating of ratings.values()) expect(rating).toSatisfy((value: number) => value >= -1 && value <= 1)
  expect(ratingOf('great')).toBeGreaterThan(0.5)
  expect(ratingOf('okay')).toBeLessThan(ratingOf('great')!)
  expect(ratingOf('disaster')).toBeLessThan(-0.5)
})

test('words that are not rated have no rating, and neither have numbers, smileys and marks', () => {
  expect(ratingOf('table')).toBeUndefined()
  const tokens = newTokens()
  for (const sign of ['86', ':)', ':(', '.', ',', '10q']) {
    tokenise(sign, tokens)
    expect(tokens.count, sign).toBe(1)
    expect(ratings.has(tokens.hash[0]!), sign).toBe(false)
  }
})
