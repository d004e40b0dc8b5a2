import type { Buckets } from '../text/features.ts'
import type { ModelFileHead } from './model-file.ts'

/** Writes the probability of each label to `into`. At least one bucket is required. */
export function softmaxOf(
  { weights, scale, bias, bits }: ModelFileHead,
  { bucket, count }: Buckets,
  into: Float64Array,
): void {
  const labels = into.length
  const mask = (1 << bits) - 1
  into.fill(0)
  for (let at = 0; at < count; at += 1) {
    const place = (bucket[at]! & mask) * labels
    for (let label = 0; label < labels; label += 1) into[label]! += weights[place + label]!
  }
  const share = 1 / Math.sqrt(count)
  for (let label = 0; label < labels; label += 1) into[label] = into[label]! * scale[label]! * share + bias[label]!
  softmax(into, 1)
}

/** Log-odds of a head with one label. At least one bucket is required. */
export function logOddsOf({ weights, scale, bias, bits }: ModelFileHead, { bucket, count }: Buckets): number {
  const mask = (1 << bits) - 1
  let sum = 0
  for (let at = 0; at < count; at += 1) sum += weights[bucket[at]! & mask]!
  return (sum * scale[0]!) / Math.sqrt(count) + bias[0]!
}

export function softmax(scores: Float64Array, temperature: number): void {
  const top = Math.max(...scores)
  let sum = 0
  for (let label = 0; label < scores.length; label += 1) {
    scores[label] = Math.exp((scores[label]! - top) / temperature)
    sum += scores[label]!
  }
  for (let label = 0; label < scores.length; label += 1) scores[label]! /= sum
}

export function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value))
}
