import { describe, expect, test } from 'vitest'
import { type DoubtedTask, type JointTask, type JointWeights, scoreJointly, trainJointly, trainTwice } from './joint.ts'

const FEATURE = Int32Array.of(3)
const SIGN = Float32Array.of(1, 1)

/** Rows of one feature and two signs, the second of which is settled at 2, each with one label. */
function taskFor(labels: readonly number[], { firm = 0, presence = 1 } = {}): DoubtedTask {
  return {
    rows: { buckets: labels.map(() => FEATURE), signs: labels.map(() => SIGN) },
    labels: 1,
    target: Float32Array.from(labels),
    weight: new Float32Array(labels.length).fill(1),
    presence: [presence],
    bits: 4,
    startOfSigns: Float32Array.of(0, 2),
    settled: Uint8Array.of(0, 1),
    firm: new Uint8Array(labels.length).fill(firm),
    epochs: 40,
    rate: 0.2,
    signRate: 0.1,
    decay: 0,
  }
}

const scoreOf = (weights: JointWeights) => {
  const score = new Float64Array(1)
  scoreJointly(weights, FEATURE, SIGN, score)
  return score[0]!
}
const once = (task: JointTask) => trainJointly(task, [...task.target.keys()])
const twice = (task: DoubtedTask) => trainTwice(task, [...task.target.keys()])

describe('learning labels together', () => {
  test('learns words and signs, but no sign that is settled', () => {
    const { weights, signs } = once(taskFor([1, 1, 1]))
    expect(weights[FEATURE[0]!]).toBeGreaterThan(0)
    expect(signs[0]).toBeGreaterThan(0)
    expect(signs[1]).toBe(2)
  })

  test('learns nothing of a label that is not known, the first time and the second', () => {
    for (const { weights, bias } of [once(taskFor([-1, -1])), twice(taskFor([-1, -1]))]) {
      expect(Math.max(...weights)).toBe(0)
      expect(bias[0]).toBe(0)
    }
  })
})

describe('learning twice', () => {
  test('believes a label less than learning once does, unless the label is beyond doubt', () => {
    expect(scoreOf(twice(taskFor([1])))).toBeLessThan(scoreOf(once(taskFor([1]))))
    expect(scoreOf(twice(taskFor([1], { firm: 1 })))).toBe(scoreOf(once(taskFor([1]))))
  })

  test('keeps how often a label was met, however much more its presence counts', () => {
    const rare = taskFor([1, ...new Array<number>(10).fill(0)], { presence: 5 })
    expect(Math.abs(scoreOf(twice(rare)) - scoreOf(once(rare)))).toBeLessThan(0.2)
  })
})
