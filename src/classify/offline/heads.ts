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
