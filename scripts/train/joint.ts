import { sigmoid } from '../../src/classify/offline/model/heads.ts'
import type { ModelFileHead } from '../../src/classify/offline/model/model-file.ts'
import { tempered } from './belief.ts'
import { generator, shuffle } from './linear.ts'

/** Texts as two kinds of features: buckets, which share one length, and signs, which count as they are. */
export interface JointRows {
  buckets: readonly Int32Array[]
  signs: readonly Float32Array[]
}

export interface JointTask {
  rows: JointRows
  labels: number
  /** For row i and label k at `i * labels + k`: how likely it is, 0 to 1, or -1 when nothing is known. */
  target: Float32Array
  /** How much a row counts. */
  weight: Float32Array
  /** How much more a label's presence counts than its absence. */
  presence: readonly number[]
  bits: number
  /** Where the weights of the signs begin, sign by sign, `labels` numbers each. */
  startOfSigns: Float32Array
  /** 1 at the place of each of those weights that is not learned. */
  settled: Uint8Array
  epochs: number
  rate: number
  signRate: number
  /** Pull of every weight towards its start, relative to its own step. */
  decay: number
}

/** A task whose labels may be wrong. */
export interface DoubtedTask extends JointTask {
  /** 1 for each row whose labels are beyond doubt. */
  firm: Uint8Array
}

export interface JointWeights {
  weights: Float32Array
  signs: Float32Array
  bias: Float64Array
}

/**
 * Learns twice from the chosen rows: what the first learner makes of a row tempers its labels for the second one, whose
 * weights are returned. Labels beyond doubt stay as they are.
 */
export function trainTwice(task: DoubtedTask, chosen: readonly number[]): JointWeights {
  const { rows, labels, presence, firm } = task
  const first = trainJointly(task, chosen, FIRST_SEED)
  const target = task.target.slice()
  const score = new Float64Array(labels)
  for (const row of chosen) {
    if (firm[row] === 1) continue
    scoreJointly(first, rows.buckets[row]!, rows.signs[row]!, score)
    for (let label = 0; label < labels; label += 1) {
      const at = row * labels + label
      // That presence counted for more than absence has raised its odds by as much.
      if (target[at]! >= 0) target[at] = tempered(target[at]!, sigmoid(score[label]! - Math.log(presence[label]!)))
    }
  }
  return trainJointly({ ...task, target }, chosen, SECOND_SEED)
}

/**
 * Adaptive stochastic gradient descent of one logistic per label over the chosen rows; the same rows and seed give the
 * same weights.
 */
export function trainJointly(task: JointTask, chosen: readonly number[], seed = SECOND_SEED): JointWeights {
  const { rows, labels, target, weight, bits } = task
  const present: JointWeights = {
    weights: new Float32Array(labels << bits),
    signs: task.startOfSigns.slice(),
    bias: new Float64Array(labels),
  }
  const mean: JointWeights = {
    weights: new Float32Array(labels << bits),
    signs: new Float32Array(present.signs.length),
    bias: new Float64Array(labels),
  }
  const squares = {
    weights: new Float32Array(labels << bits).fill(1e-3),
    signs: new Float32Array(present.signs.length).fill(1),
    bias: new Float64Array(labels).fill(1),
  }
  const order = Int32Array.from(chosen)
  const random = generator(seed)
  const score = new Float64Array(labels)
  for (let epoch = 0; epoch < task.epochs; epoch += 1) {
    shuffle(order, random)
    const slowing = 1 - (0.8 * epoch) / task.epochs
    for (const row of order) {
      const buckets = rows.buckets[row]!
      const signs = rows.signs[row]!
      const value = 1 / Math.sqrt(buckets.length || 1)
      scoreJointly(present, buckets, signs, score)
      for (let label = 0; label < labels; label += 1) {
        const wanted = target[row * labels + label]!
        if (wanted < 0) continue
        const likely = sigmoid(score[label]!)
        const error = (wanted * task.presence[label]! * (1 - likely) - (1 - wanted) * likely) * weight[row]!
        if (Math.abs(error) < 2e-3) continue
        squares.bias[label]! += error * error
        present.bias[label]! += (task.rate * slowing * error) / Math.sqrt(squares.bias[label]!)
        for (let at = 0; at < buckets.length; at += 1) {
          const place = buckets[at]! * labels + label
          const step = error * value - task.decay * present.weights[place]!
          squares.weights[place]! += step * step
          present.weights[place]! += (task.rate * slowing * step) / Math.sqrt(squares.weights[place]!)
        }
        for (let at = 0; at < signs.length; at += 1) {
          const sign = signs[at]!
          if (sign === 0) continue
          const place = at * labels + label
          if (task.settled[place] === 1) continue
          const step = error * sign - task.decay * (present.signs[place]! - task.startOfSigns[place]!)
          squares.signs[place]! += step * step
          present.signs[place]! += (task.signRate * slowing * step) / Math.sqrt(squares.signs[place]!)
        }
      }
    }
    if (epoch > 0) addShare(mean, present, 1 / (task.epochs - 1))
  }
  return mean
}

/** The score of every label for one text. */
export function scoreJointly(
  { weights, signs, bias }: JointWeights,
  buckets: Int32Array,
  own: Float32Array,
  into: Float64Array,
): void {
  const labels = into.length
  into.fill(0)
  for (let at = 0; at < buckets.length; at += 1) {
    const place = buckets[at]! * labels
    for (let label = 0; label < labels; label += 1) into[label]! += weights[place + label]!
  }
  const value = 1 / Math.sqrt(buckets.length || 1)
  for (let label = 0; label < labels; label += 1) into[label] = into[label]! * value + bias[label]!
  for (let at = 0; at < own.length; at += 1) {
    const sign = own[at]!
    if (sign !== 0) for (let label = 0; label < labels; label += 1) into[label]! += sign * signs[at * labels + label]!
  }
}

function addShare(mean: JointWeights, present: JointWeights, share: number): void {
  for (let place = 0; place < mean.weights.length; place += 1) mean.weights[place]! += share * present.weights[place]!
  for (let place = 0; place < mean.signs.length; place += 1) mean.signs[place]! += share * present.signs[place]!
  for (let label = 0; label < mean.bias.length; label += 1) mean.bias[label]! += share * present.bias[label]!
}

const FIRST_SEED = 20261121
const SECOND_SEED = 20261122

/** Steps between nothing and the largest weight of a small head, where they cost nothing. */
export const FINE_STEPS = 100

/** Whole steps of the label's scale; weights far below a step vanish, which is what keeps the file small. */
export function inSteps(
  values: Float32Array,
  labels: readonly string[],
  bits: number,
  bias: Float64Array,
  steps: number,
): ModelFileHead {
  const weights = new Int8Array(labels.length << bits)
  const rows = values.length / labels.length
  const scale = labels.map((_, label) => {
    const sizes = Float32Array.from({ length: rows }, (_, row) => Math.abs(values[row * labels.length + label]!)).sort()
    const step = Math.max(sizes[Math.floor((rows - 1) * 0.9998)]!, 1e-6) / steps
    for (let row = 0; row < rows; row += 1) {
      const place = row * labels.length + label
      const exact = values[place]! / step
      weights[place] = Math.abs(exact) < NEGLIGIBLE ? 0 : Math.max(-127, Math.min(127, Math.round(exact)))
    }
    return step
  })
  return { labels, bits, scale, bias: [...bias], weights }
}

/** Weights of less than so many steps are taken as nothing. */
const NEGLIGIBLE = 0.6
