import { softmax } from '../../src/classify/offline/model/heads.ts'
import type { ModelFileHead } from '../../src/classify/offline/model/model-file.ts'

/** Rows of bucket numbers, one after the other; row `i` lies between `start[i]` and `start[i + 1]`. */
export interface Rows {
  start: Int32Array
  bucket: Int32Array
}

/** The rows of texts with these bucket numbers. */
export function rowsFrom(texts: readonly Int32Array[]): Rows {
  const start = new Int32Array(texts.length + 1)
  for (const [at, buckets] of texts.entries()) start[at + 1] = start[at]! + buckets.length
  const bucket = new Int32Array(start[texts.length]!)
  for (const [at, buckets] of texts.entries()) bucket.set(buckets, start[at]!)
  return { start, bucket }
}

export interface Task {
  rows: Rows
  labels: readonly string[]
  /** For row i and label k at `i * labels.length + k`: 1 for the one label that it has, else 0. */
  target: Int8Array
  /** How much a row counts. */
  weight: Float32Array
  bits: number
  epochs: number
  rate: number
  /** Pull of every weight towards zero, relative to its own step. */
  decay: number
}

/** Float weights before they are rounded to bytes. */
export interface FloatHead {
  weights: Float32Array
  bias: Float64Array
}

/** Adaptive stochastic gradient descent over rows in a fixed shuffled order: the same data gives the same weights. */
export function train(task: Task): FloatHead {
  const { rows, labels, target, weight, bits } = task
  const classes = labels.length
  const mask = (1 << bits) - 1
  const weights = new Float32Array(classes << bits)
  const squares = new Float32Array(classes << bits).fill(1e-3)
  const bias = new Float64Array(classes)
  const biasSquares = new Float64Array(classes).fill(1)
  const score = new Float64Array(classes)
  const count = rows.start.length - 1
  const order = Int32Array.from({ length: count }, (_, index) => index)
  const random = generator(20261121)
  const mean = { weights: new Float32Array(weights.length), bias: new Float64Array(classes) }
  for (let epoch = 0; epoch < task.epochs; epoch += 1) {
    shuffle(order, random)
    const rate = task.rate * (1 - (0.8 * epoch) / task.epochs)
    for (const row of order) {
      const from = rows.start[row]!
      const to = rows.start[row + 1]!
      if (from === to || weight[row] === 0) continue
      const value = 1 / Math.sqrt(to - from)
      scoreInto(score, weights, bias, rows.bucket, from, to, mask, value)
      softmax(score, 1)
      for (let label = 0; label < classes; label += 1) {
        const wanted = target[row * classes + label]!
        const error = (wanted - score[label]!) * weight[row]!
        if (Math.abs(error) < 1e-3) continue
        biasSquares[label]! += error * error
        bias[label]! += (rate * error) / Math.sqrt(biasSquares[label]!)
        const gradient = error * value
        for (let at = from; at < to; at += 1) {
          const place = (rows.bucket[at]! & mask) * classes + label
          const step = gradient - task.decay * weights[place]!
          const sum = squares[place]! + step * step
          squares[place] = sum
          weights[place]! += (rate * step) / Math.sqrt(sum)
        }
      }
    }
    if (epoch > 0) addShare(mean, { weights, bias }, 1 / (task.epochs - 1))
  }
  return mean
}

/** A text that has what is asked for, or has it not. */
export interface Answered {
  buckets: Int32Array
  wanted: boolean
  weight: number
}

/** What speaks for a text having what is asked for, less what speaks against it: one weight for every bucket. */
export function trainOdds(
  texts: readonly Answered[],
  settings: Pick<Task, 'bits' | 'epochs' | 'rate' | 'decay'>,
): FloatHead {
  const target = new Int8Array(2 * texts.length)
  for (const [at, { wanted }] of texts.entries()) target[2 * at + Number(wanted)] = 1
  const weight = Float32Array.from(texts, (text) => text.weight)
  const { weights, bias } = train({
    ...settings,
    rows: rowsFrom(texts.map(({ buckets }) => buckets)),
    labels: ['without', 'with'],
    target,
    weight,
  })
  const differences = Float32Array.from(
    { length: weights.length / 2 },
    (_, at) => weights[2 * at + 1]! - weights[2 * at]!,
  )
  return { weights: differences, bias: Float64Array.of(bias[1]! - bias[0]!) }
}

/**
 * The mean over the ends of all epochs but the first depends less on the order of the rows than the last state does.
 */
function addShare(mean: FloatHead, present: FloatHead, share: number): void {
  for (let place = 0; place < mean.weights.length; place += 1) mean.weights[place]! += share * present.weights[place]!
  for (let label = 0; label < mean.bias.length; label += 1) mean.bias[label]! += share * present.bias[label]!
}

/**
 * Bytes with one scale per label, where all but the outliers lie within `levels`: fewer levels make a smaller file,
 * since more weights become zero. Outliers are cut at 127 so that the many small weights keep their resolution.
 */
export function quantise(task: Pick<Task, 'labels' | 'bits'>, head: FloatHead, levels = 127): ModelFileHead {
  const classes = task.labels.length
  const buckets = 1 << task.bits
  const weights = new Int8Array(classes * buckets)
  const scale = task.labels.map((_, label) => {
    const sizes = new Float32Array(buckets)
    for (let bucket = 0; bucket < buckets; bucket += 1)
      sizes[bucket] = Math.abs(head.weights[bucket * classes + label]!)
    sizes.sort()
    const step = Math.max(sizes[Math.floor(buckets * 0.99998)]!, 1e-6) / levels
    for (let bucket = 0; bucket < buckets; bucket += 1) {
      const place = bucket * classes + label
      weights[place] = Math.max(-127, Math.min(127, Math.round(head.weights[place]! / step)))
    }
    return step
  })
  return { labels: task.labels, bits: task.bits, scale, bias: [...head.bias], weights }
}

function scoreInto(
  score: Float64Array,
  weights: Float32Array,
  bias: Float64Array,
  bucket: Int32Array,
  from: number,
  to: number,
  mask: number,
  value: number,
): void {
  const classes = score.length
  score.fill(0)
  for (let at = from; at < to; at += 1) {
    const place = (bucket[at]! & mask) * classes
    for (let label = 0; label < classes; label += 1) score[label]! += weights[place + label]!
  }
  for (let label = 0; label < classes; label += 1) score[label] = score[label]! * value + bias[label]!
}

/** A small generator with a fixed seed (mulberry32), so that training can be repeated. */
export function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), state | 1)
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61)
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296
  }
}

export function shuffle(order: Int32Array, random: () => number): void {
  for (let at = order.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1))
    const kept = order[at]!
    order[at] = order[other]!
    order[other] = kept
  }
}
