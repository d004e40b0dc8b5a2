import { describe, expect, test } from 'vitest'
import { generator } from './linear.ts'
import { type Answer, trainRidge } from './ridge.ts'

const SETTINGS = { bits: 4, pull: 0.5, rounds: 60 }

/** Texts of sixteen traits, of which the first two speak for it and against it. */
function texts(count: number): Answer[] {
  const random = generator(7)
  return Array.from({ length: count }, () => {
    const buckets = Int32Array.from([...Array(16).keys()].filter(() => random() < 0.3))
    const strengths = Float64Array.from(buckets, () => 0.5 + random())
    const leaning = buckets.reduce(
      (sum, bucket, at) => sum + strengths[at]! * (bucket === 0 ? 3 : bucket === 1 ? -3 : 0),
      -0.5,
    )
    return { buckets, strengths, wanted: random() < 1 / (1 + Math.exp(-leaning)) }
  })
}

describe('a logistic with a pull on its weights', () => {
  test('stands where nothing is gained by moving any weight', () => {
    const all = texts(300)
    const { weights, bias } = trainRidge(all, SETTINGS)
    const slopes = Float64Array.from(weights, (weight) => SETTINGS.pull * weight)
    let biasSlope = SETTINGS.pull * bias
    for (const { buckets, strengths, wanted } of all) {
      const odds = buckets.reduce((sum, bucket, at) => sum + weights[bucket]! * strengths[at]!, bias)
      const error = 1 / (1 + Math.exp(-odds)) - Number(wanted)
      biasSlope += error
      for (const [at, bucket] of buckets.entries()) slopes[bucket]! += error * strengths[at]!
    }
    for (const slope of [...slopes, biasSlope]) expect(Math.abs(slope)).toBeLessThan(1e-3)
    expect(weights[0]).toBeGreaterThan(1)
    expect(weights[1]).toBeLessThan(-1)
  })

  test('gives the same weights for the same texts, and small ones where it is pulled hard', () => {
    const all = texts(100)
    expect(trainRidge(all, SETTINGS)).toEqual(trainRidge(all, SETTINGS))
    expect(Math.max(...trainRidge(all, { ...SETTINGS, pull: 1000 }).weights.map(Math.abs))).toBeLessThan(0.1)
  })

  test('survives texts without traits, and texts that contradict one another', () => {
    const none = (wanted: boolean): Answer => ({ buckets: new Int32Array(0), strengths: new Float64Array(0), wanted })
    const item = (wanted: boolean): Answer => ({ buckets: Int32Array.of(3), strengths: Float64Array.of(2), wanted })
    const { weights, bias } = trainRidge([none(true), none(false), item(true), item(false)], SETTINGS)
    expect(Math.abs(bias)).toBeLessThan(1e-3)
    expect(Math.abs(weights[3]!)).toBeLessThan(1e-3)
  })
})
