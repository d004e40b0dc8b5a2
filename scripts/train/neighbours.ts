import type { Model, WordVectors } from '../../src/classify/offline/model-file.ts'
import { eachStem, rarityOf } from '../../src/classify/offline/terms.ts'
import { newTokens, tokenise } from '../../src/classify/offline/tokens.ts'

const WORDS = 10_000
const DIMENSIONS = 96
const ROUNDS = 5
const STEMS_PER_TEXT = 24
const LEAST_RARITY = 3.6

/**
 * A vector for each of the commonest telling words, so that words which stand in the same posts point the same way: the
 * leading directions of their positive pointwise mutual information, found by subspace iteration.
 */
export function wordVectors(model: Pick<Model, 'rarity'>, texts: readonly string[]): WordVectors {
  const posts = texts.map((text) => stemsOf(model, text))
  const stems = commonest(posts)
  const place = new Map(stems.map((stem, at) => [stem, at]))
  const matrix = association(
    posts.map((post) => post.flatMap((stem) => place.get(stem) ?? [])),
    stems.length,
  )
  return { stems: Int32Array.from(stems), dimensions: DIMENSIONS, vectors: asBytes(leadingDirections(matrix, stems.length), stems.length) }
}

function stemsOf(model: Pick<Model, 'rarity'>, text: string): number[] {
  const tokens = TOKENS
  tokenise(text, tokens)
  const stems = new Set<number>()
  eachStem(tokens, (stem) => {
    if (stems.size < STEMS_PER_TEXT && rarityOf(model, stem) >= LEAST_RARITY) stems.add(stem)
  })
  return [...stems]
}

const TOKENS = newTokens()

function commonest(posts: readonly (readonly number[])[]): number[] {
  const counts = new Map<number, number>()
  for (const post of posts) for (const stem of post) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  return [...counts]
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, WORDS)
    .map(([stem]) => stem)
}

/** Positive pointwise mutual information of words in the same post; rare companions are smoothed by the usual power 0.75. */
function association(posts: readonly (readonly number[])[], size: number): Float32Array {
  const together = new Float32Array(size * size)
  for (const post of posts) for (const first of post) for (const second of post) if (first !== second) together[first * size + second]! += 1 / post.length
  const sums = new Float64Array(size)
  for (let row = 0; row < size; row += 1) for (let column = 0; column < size; column += 1) sums[row]! += together[row * size + column]!
  const total = sums.reduce((a, b) => a + b, 0)
  const smooth = sums.map((sum) => sum ** 0.75)
  const smoothTotal = smooth.reduce((a, b) => a + b, 0)
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      const count = together[row * size + column]!
      const information = count === 0 ? 0 : Math.log((count * smoothTotal) / (sums[row]! * smooth[column]!))
      together[row * size + column] = total > 0 && information > 0 ? information : 0
    }
  }
  return together
}

/**
 * Rows of the matrix along its leading directions, weighted by the square root of their strength. The first direction is
 * left out: it only says how common a word is.
 */
function leadingDirections(matrix: Float32Array, size: number): Float32Array {
  let state = 12345
  const random = () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return state / 0x7fffffff - 0.5
  }
  let basis = Float32Array.from({ length: size * DIMENSIONS }, random)
  orthonormalise(basis, size)
  for (let round = 0; round < ROUNDS; round += 1) {
    basis = times(matrix, basis, size)
    if (round < ROUNDS - 1) orthonormalise(basis, size)
  }
  const strength = new Float64Array(DIMENSIONS)
  for (let at = 0; at < basis.length; at += 1) strength[at % DIMENSIONS]! += basis[at]! ** 2
  for (let at = 0; at < basis.length; at += 1) basis[at]! /= strength[at % DIMENSIONS]! ** 0.25
  for (let row = 0; row < size; row += 1) basis[row * DIMENSIONS] = 0
  return basis
}

function times(matrix: Float32Array, basis: Float32Array, size: number): Float32Array<ArrayBuffer> {
  const product = new Float32Array(size * DIMENSIONS)
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      const value = matrix[row * size + column]!
      if (value === 0) continue
      for (let at = 0; at < DIMENSIONS; at += 1) product[row * DIMENSIONS + at]! += value * basis[column * DIMENSIONS + at]!
    }
  }
  return product
}

/** Gram and Schmidt, column by column. */
function orthonormalise(basis: Float32Array, size: number): void {
  for (let column = 0; column < DIMENSIONS; column += 1) {
    for (let other = 0; other < column; other += 1) {
      let dot = 0
      for (let row = 0; row < size; row += 1) dot += basis[row * DIMENSIONS + column]! * basis[row * DIMENSIONS + other]!
      for (let row = 0; row < size; row += 1) basis[row * DIMENSIONS + column]! -= dot * basis[row * DIMENSIONS + other]!
    }
    let length = 0
    for (let row = 0; row < size; row += 1) length += basis[row * DIMENSIONS + column]! ** 2
    length = Math.sqrt(length) || 1
    for (let row = 0; row < size; row += 1) basis[row * DIMENSIONS + column]! /= length
  }
}

/** Every vector in bytes, scaled to length 127. */
function asBytes(vectors: Float32Array, size: number): Int8Array {
  const bytes = new Int8Array(size * DIMENSIONS)
  for (let row = 0; row < size; row += 1) {
    let length = 0
    for (let at = 0; at < DIMENSIONS; at += 1) length += vectors[row * DIMENSIONS + at]! ** 2
    length = Math.sqrt(length) || 1
    for (let at = 0; at < DIMENSIONS; at += 1) bytes[row * DIMENSIONS + at] = Math.round((127 * vectors[row * DIMENSIONS + at]!) / length)
  }
  return bytes
}
