import { describe, expect, test } from 'vitest'
import { directionsOf, keyOf } from '../../src/classify/offline/model/directions.ts'
import { vocabularyOf } from './vocabulary.ts'

const [FIRST, SECOND] = signsOfOneKey()
const COMMON = 11
const SELDOM = 22
const RATED = 33
const STRANGE = 44

describe('vocabularyOf', () => {
  test('learns vectors for signs in at least six texts and for rated ones, and keeps the directions of the rest', () => {
    const texts = [...textsWith(COMMON, 6), ...textsWith(SELDOM, 5), ...textsWith(STRANGE, 5)]
    const { signs, seldom } = vocabularyOf(texts, directionsFor(COMMON, SELDOM), new Map([[RATED, 0.5]]))
    expect(new Set(signs)).toEqual(new Set([COMMON, RATED]))
    expect(seldom).toEqual([SELDOM])
  })

  test('counts a sign once in a text', () => {
    const { signs } = vocabularyOf(
      [Int32Array.of(COMMON, COMMON, COMMON, COMMON, COMMON, COMMON)],
      directionsFor(),
      new Map(),
    )
    expect(signs).toEqual([])
  })

  test('passes over tokens without a sign', () => {
    expect(vocabularyOf(textsWith(0, 9), directionsFor(0), new Map())).toEqual({ signs: [], seldom: [] })
  })

  test('gives a key to the most common of its signs, in whichever order they are met', () => {
    const texts = [...textsWith(FIRST, 6), ...textsWith(SECOND, 7)]
    for (const order of [texts, texts.toReversed()])
      expect(vocabularyOf(order, directionsFor(FIRST), new Map())).toEqual({ signs: [SECOND], seldom: [] })
  })

  test('gives a key to a sign of the texts before one that is only rated', () => {
    expect(vocabularyOf(textsWith(FIRST, 6), directionsFor(), new Map([[SECOND, 1]])).signs).toEqual([FIRST])
  })

  test('orders the learned signs by their keys, as a model file keeps them', () => {
    const { signs } = vocabularyOf(
      [1, 2, 3, 4, 5, 6, 7, 8].flatMap((sign) => textsWith(sign, 6)),
      directionsFor(),
      new Map(),
    )
    const keys = signs.map(keyOf)
    expect(keys).toHaveLength(8)
    expect(keys).toEqual(keys.toSorted((first, second) => first - second))
  })
})

function textsWith(sign: number, count: number): Int32Array[] {
  return Array.from({ length: count }, () => Int32Array.of(sign))
}

function directionsFor(...stems: readonly number[]) {
  const keys = Int32Array.from(stems, keyOf).sort()
  return directionsOf({ keys, dimensions: 1, vectors: new Int8Array(keys.length).fill(1) })
}

/** Keys have 24 bits: among some thousand signs two share one. */
function signsOfOneKey(): [number, number] {
  const met = new Map<number, number>()
  for (let sign = 1_000; ; sign += 1) {
    const other = met.get(keyOf(sign))
    if (other !== undefined) return [other, sign]
    met.set(keyOf(sign), sign)
  }
}
