import type { Features } from './features.ts'
import type { Head } from './model-file.ts'

/** The head's score of every label for one text: the mean direction of its features, plus the label's bias. */
export function scoreHead(head: Head, features: Features, into: Float64Array): void {
  const { weights, scale, bias } = head
  const labels = scale.length
  const mask = (1 << head.bits) - 1
  const { bucket, count } = features
  into.fill(0, 0, labels)
  for (let at = 0; at < count; at += 1) {
    const place = (bucket[at]! & mask) * labels
    for (let label = 0; label < labels; label += 1) into[label]! += weights[place + label]!
  }
  const value = count === 0 ? 0 : 1 / Math.sqrt(count)
  for (let label = 0; label < labels; label += 1) into[label] = into[label]! * scale[label]! * value + bias[label]!
}

/** Scores as probabilities that sum to 1. */
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
