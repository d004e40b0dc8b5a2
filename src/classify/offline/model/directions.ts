import { type Parts, sectionOf } from './model-file.ts'

export interface WordVectors {
  /** Stems by `keyOf`, ascending. */
  keys: Int32Array
  dimensions: number
  vectors: Int8Array
}

export const VECTORS_PART = 'relevance.words'

/** Vectors of words of one subject have similar directions; their lengths have no meaning. */
export function vectorsOf(model: Parts): WordVectors {
  return decodeVectors(sectionOf(model, VECTORS_PART))
}

export interface Directions {
  /** Stems by `keyOf`, ascending. */
  keys: Int32Array
  dimensions: number
  /** The offset of the word's numbers in `unit`, or -1. */
  placeOf(stem: number): number
  /** Vectors of length 1. */
  unit: Float32Array
}

export function directionsOf({ keys, dimensions, vectors }: WordVectors): Directions {
  const unit = new Float32Array(vectors.length)
  for (let at = 0; at < keys.length; at += 1) {
    const place = at * dimensions
    let squares = 0
    for (let step = 0; step < dimensions; step += 1) squares += vectors[place + step]! ** 2
    const length = Math.sqrt(squares) || 1
    for (let step = 0; step < dimensions; step += 1) unit[place + step] = vectors[place + step]! / length
  }
  const rowOf = rowFinder(keys)
  return {
    keys,
    dimensions,
    unit,
    placeOf(stem) {
      const row = rowOf(keyOf(stem))
      return row < 0 ? -1 : row * dimensions
    },
  }
}

/** Returns -1 for a missing key. Keys are found by a table of their first bits. */
export function rowFinder(keys: Int32Array): (key: number) => number {
  const begin = new Int32Array((1 << FIRST_BITS) + 1)
  for (const key of keys) begin[(key >>> (KEY_BITS - FIRST_BITS)) + 1]! += 1
  for (let at = 1; at < begin.length; at += 1) begin[at]! += begin[at - 1]!
  return (key) => {
    const first = key >>> (KEY_BITS - FIRST_BITS)
    const end = begin[first + 1]!
    for (let row = begin[first]!; row < end; row += 1) if (keys[row] === key) return row
    return -1
  }
}

/** A hash of 24 bits: with 30,000 words about one unknown word in 500 is taken for another. */
export function keyOf(stem: number): number {
  let value = Math.imul(stem ^ (stem >>> 16), 0x7feb352d)
  value = Math.imul(value ^ (value >>> 15), 0x846ca68b)
  return (value ^ (value >>> 16)) >>> 8
}

export function addDirection(
  { unit, dimensions }: Directions,
  place: number,
  weight: number,
  into: Float64Array,
): void {
  for (let at = 0; at < dimensions; at += 1) into[at]! += weight * unit[place + at]!
}

/** Cosine, -1 to 1, for a `direction` of length 1. */
export function nearness({ unit, dimensions }: Directions, place: number, direction: Float64Array): number {
  let dot = 0
  for (let at = 0; at < dimensions; at += 1) dot += unit[place + at]! * direction[at]!
  return dot
}

export function dotOf(first: Float64Array, second: Float64Array): number {
  let dot = 0
  for (let at = 0; at < first.length; at += 1) dot += first[at]! * second[at]!
  return dot
}

/** Works in place. Returns false for a zero vector. */
export function makeUnit(vector: Float64Array): boolean {
  const squares = dotOf(vector, vector)
  if (squares === 0) return false
  const length = Math.sqrt(squares)
  for (let at = 0; at < vector.length; at += 1) vector[at]! /= length
  return true
}

/**
 * A format that compresses well: counts of words and dimensions, differences of the keys (seven bits a byte, high bit
 * when more follow), numbers by dimension.
 */
export function encodeVectors({ keys, dimensions, vectors }: WordVectors): Uint8Array {
  const head: number[] = []
  let before = 0
  for (const key of keys) {
    let step = key - before
    before = key
    for (; step >= 128; step >>>= 7) head.push((step & 127) | 128)
    head.push(step)
  }
  const bytes = new Uint8Array(8 + head.length + vectors.length)
  new DataView(bytes.buffer).setUint32(0, keys.length, true)
  new DataView(bytes.buffer).setUint32(4, dimensions, true)
  bytes.set(head, 8)
  let at = 8 + head.length
  for (let step = 0; step < dimensions; step += 1)
    for (let word = 0; word < keys.length; word += 1, at += 1) bytes[at] = vectors[word * dimensions + step]! & 255
  return bytes
}

export function decodeVectors(bytes: Uint8Array): WordVectors {
  const damaged = () => new Error('the classifier model is damaged: its word directions cannot be read')
  if (bytes.length < 8) throw damaged()
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const count = view.getUint32(0, true)
  const dimensions = view.getUint32(4, true)
  if (count === 0 || dimensions === 0 || dimensions > MOST_DIMENSIONS || count * (dimensions + 1) + 8 > bytes.length)
    throw damaged()
  const keys = new Int32Array(count)
  let at = 8
  let key = 0
  for (let word = 0; word < count; word += 1) {
    let shift = 0
    for (; at < bytes.length && bytes[at]! >= 128; at += 1, shift += 7) key += (bytes[at]! & 127) << shift
    key += (bytes[at] ?? 0) << shift
    at += 1
    keys[word] = key
  }
  if (at + count * dimensions !== bytes.length) throw damaged()
  const vectors = new Int8Array(count * dimensions)
  for (let step = 0; step < dimensions; step += 1)
    for (let word = 0; word < count; word += 1, at += 1) vectors[word * dimensions + step] = bytes[at]!
  return { keys, dimensions, vectors }
}

const MOST_DIMENSIONS = 512
const KEY_BITS = 24
/** Leaves about one key to compare. */
const FIRST_BITS = 15
