import type { WordVectors } from './model-file.ts'

/** Looks up where words point and adds them up. */
export interface Directions {
  dimensions: number
  /** Adds `weight` times the word's direction to `into`; answers false when the word has none. */
  add(stem: number, weight: number, into: Float64Array): boolean
}

export function directionsOf({ stems, dimensions, vectors }: WordVectors): Directions {
  const places = new Map<number, number>()
  for (const [at, stem] of stems.entries()) places.set(stem, at * dimensions)
  return {
    dimensions,
    add(stem, weight, into) {
      const place = places.get(stem)
      if (place === undefined) return false
      for (let at = 0; at < dimensions; at += 1) into[at]! += weight * vectors[place + at]!
      return true
    },
  }
}

/** The vector with length 1, or null when it has no length. */
export function unit(vector: Float64Array): Float64Array | null {
  let squares = 0
  for (const value of vector) squares += value * value
  if (squares === 0) return null
  const length = Math.sqrt(squares)
  return vector.map((value) => value / length)
}

/** How far `vector` points along `direction` (of length 1): -1 to 1, and 0 when it has no length. */
export function cosine(direction: Float64Array, vector: Float64Array): number {
  let dot = 0
  let squares = 0
  for (let at = 0; at < direction.length; at += 1) {
    dot += direction[at]! * vector[at]!
    squares += vector[at]! * vector[at]!
  }
  return squares === 0 ? 0 : dot / Math.sqrt(squares)
}
