import { describe, expect, test } from 'vitest'
import { logOddsOf, softmaxOf } from './heads.ts'

describe('a small head', () => {
  const bucket = Int32Array.of(3, 5, 256 + 3, 7, 3)

  test('of one label says the sum of its weights over the root of their number, beside its bias', () => {
    const weights = Int8Array.from({ length: 256 }, (_, at) => (at === 3 ? 8 : at === 5 ? -2 : 0))
    // The fifth bucket does not count.
    expect(
      logOddsOf({ labels: ['one'], bits: 8, scale: [0.5], bias: [0.25], weights }, { bucket, count: 4 }),
    ).toBeCloseTo((0.5 * (8 - 2 + 8)) / 2 + 0.25, 12)
  })

  test('of several labels says how likely each is, whatever stood there before', () => {
    const weights = new Int8Array(2 * 256)
    weights.set([8, -4], 2 * 3)
    weights.set([-2, 6], 2 * 5)
    const into = Float64Array.of(7, 7)
    softmaxOf(
      { labels: ['one', 'other'], bits: 8, scale: [0.5, 0.25], bias: [0, 1], weights },
      { bucket, count: 4 },
      into,
    )
    const [first, second] = [(0.5 * 14) / 2, (0.25 * -2) / 2 + 1]
    expect(into[0]).toBeCloseTo(1 / (1 + Math.exp(second - first)), 12)
    expect(into[0]! + into[1]!).toBeCloseTo(1, 12)
  })
})
