import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newSums, packRows, sumRows } from './packed-rows.ts'

describe('rows of weights, four to a number', () => {
  test('sum to what their weights sum to, for any labels, rows and repeats', () => {
    const heads = fc
      .record({ labels: fc.integer({ min: 1, max: 19 }), rows: fc.integer({ min: 1, max: 5 }) })
      .chain(({ labels, rows }) =>
        fc.record({
          labels: fc.constant(labels),
          weights: fc.int8Array({ minLength: labels * rows, maxLength: labels * rows }),
          wanted: fc.array(fc.nat({ max: rows - 1 }), { maxLength: 700, size: 'max' }),
        }),
      )
    fc.assert(
      fc.property(heads, ({ labels, weights, wanted }) => {
        expect(packedSum(weights, labels, wanted)).toEqual(plainSum(weights, labels, wanted))
      }),
    )
  })

  test.each([-128, 127])('sum without running over where all of very many weights are %i', (weight) => {
    const weights = new Int8Array(6).fill(weight)
    expect(packedSum(weights, 6, new Array<number>(100_000).fill(0))).toEqual(
      new Array<number>(6).fill(100_000 * weight),
    )
  })
})

function packedSum(weights: Int8Array, labels: number, wanted: readonly number[]): number[] {
  const packed = packRows(weights, labels)
  const sums = newSums(packed)
  sumRows(packed, Int32Array.from(wanted), wanted.length, sums)
  return [...sums.subarray(0, labels)]
}

function plainSum(weights: Int8Array, labels: number, wanted: readonly number[]): number[] {
  return Array.from({ length: labels }, (_, label) =>
    wanted.reduce((sum, row) => sum + weights[row * labels + label]!, 0),
  )
}
