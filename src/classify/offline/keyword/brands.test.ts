import { describe, expect, test } from 'vitest'
import { directionsOf, keyOf } from '../model/directions.ts'
import { newReading, readPlain } from '../text/reading.ts'
import { hashOfWord } from '../text/tokens.ts'
import { newTraits, type Traits, traitsOf, type Words } from './brands.ts'

/** Three words of the same rarity, of which two point the same way. */
const pointing = [
  { word: 'match', vector: [1, 0] },
  { word: 'goal', vector: [1, 0] },
  { word: 'oven', vector: [0, 1] },
]
  .map(({ word, vector }) => ({ key: keyOf(hashOfWord(word)), vector }))
  .sort((first, second) => first.key - second.key)
const words: Words = {
  rarities: new Uint8Array(1 << 16).fill(128),
  directions: directionsOf({
    keys: Int32Array.from(pointing, ({ key }) => key),
    dimensions: 2,
    vectors: Int8Array.from(pointing.flatMap(({ vector }) => vector)),
  }),
}
const reading = newReading()

/** What the text has of each bucket. */
function traits(text: string, label = 'acmegame', into: Traits = newTraits(words)): Map<number, number> {
  readPlain(text, reading)
  traitsOf(words, reading, label, into)
  const found = new Map<number, number>()
  for (let at = 0; at < into.count; at += 1)
    found.set(into.bucket[at]!, (found.get(into.bucket[at]!) ?? 0) + into.strength[at]!)
  return found
}

function shared(first: Map<number, number>, second: Map<number, number>): number {
  return [...first.keys()].filter((bucket) => second.has(bucket)).length
}

describe('the traits of a post under a brand', () => {
  test('know the name however it is spaced and signed', () => {
    const signs = ['Acme Game', 'ACME-GAME', 'acme_game'].map((name) =>
      shared(traits(`I like ${name} a lot`), traits('I like AcmeGame a lot')),
    )
    const unnamed = shared(traits('I like Other Game a lot'), traits('I like AcmeGame a lot'))
    for (const sign of signs) expect(sign).toBeGreaterThan(unnamed)
  })

  test('tell one handle from another, whatever their case', () => {
    expect(traits('@AcmeHelp thanks')).toEqual(traits('@acmehelp thanks'))
    expect(traits('@AcmeHelp thanks')).not.toEqual(traits('@SomeFriend thanks'))
  })

  test('tell every sign of shape from every other', () => {
    const plain = traits('nice shot mate')
    const both = traits('nice #shot mate so?')
    // That there is no hashtag, and that there is no question, both for every brand and for the one.
    expect([...plain.keys()].filter((bucket) => !both.has(bucket))).toHaveLength(4)
  })

  test('are half those of every brand, half those of one', () => {
    const own = traits('nice shot mate')
    expect(shared(own, traits('nice shot mate', 'zorvexa'))).toBe(own.size / 2)
  })

  test('are nearer to one another where words point the same way', () => {
    const nearness = (first: string, second: string) => {
      const theirs = traits(second)
      return [...traits(first)].reduce((sum, [bucket, strength]) => sum + strength * (theirs.get(bucket) ?? 0), 0)
    }
    expect(nearness('a match', 'a goal')).toBeGreaterThan(nearness('a match', 'a oven') + 0.5)
  })

  test('fit into their room and stay finite for a text of any kind, and leave nothing to the next one', () => {
    const into = newTraits(words)
    const before = traits('nice match', 'acmegame', into)
    const hostile = [
      '',
      ' ',
      '@',
      '@a '.repeat(4000),
      'a b c d e f g '.repeat(900),
      Array.from({ length: 2000 }, (_, at) => `w${at}q`).join(' '),
      '!?'.repeat(4000),
    ]
    for (const text of hostile) {
      traits(text, 'acmegame', into)
      expect(into.count).toBeLessThanOrEqual(into.bucket.length)
      for (let at = 0; at < into.count; at += 1) {
        expect(Number.isFinite(into.strength[at])).toBe(true)
        expect(into.bucket[at]).toBeGreaterThanOrEqual(0)
      }
    }
    expect(traits('nice match', 'acmegame', into)).toEqual(before)
  })
})
