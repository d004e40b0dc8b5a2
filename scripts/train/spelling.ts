import { PURPOSES } from '../../src/classify/offline/intents.ts'
import type { Head } from '../../src/classify/offline/model-file.ts'
import { newReading } from '../../src/classify/offline/reading.ts'
import { venueOf } from '../../src/classify/offline/signs.ts'
import { charactersOf, newCharacters, SPELLED, SPELLING_LABELS } from '../../src/classify/offline/spelling.ts'
import { readPlain } from './comparing.ts'
import type { PurposeExample } from './intent-examples.ts'
import { inSteps } from './joint.ts'
import { train } from './linear.ts'

const BITS = 16
const STEPS = 20

/** A text of a venue whose spelling counts. */
export interface Spelled {
  /** Its place among the examples. */
  at: number
  /** The place of the purpose among `PURPOSES`. */
  label: number
  buckets: Int32Array
  wanted: boolean
  weight: number
}

/** The texts whose spelling counts. */
export function spelledTexts(examples: readonly PurposeExample[]): Spelled[] {
  const reading = newReading()
  const characters = newCharacters()
  return examples.flatMap(({ row, platform, known, weight }, at) => {
    const venue = venueOf(platform)
    const purpose = SPELLED[venue]
    const value = purpose === undefined ? undefined : known[purpose]
    if (purpose === undefined || value === undefined) return []
    readPlain(row.text, reading)
    charactersOf(reading.tokens, venue, characters)
    return [{ at, label: PURPOSES.indexOf(purpose), buckets: characters.bucket.slice(0, characters.count), wanted: value === 1, weight }]
  })
}

/** One weight for every run of characters. */
export function spellingHead(texts: readonly Spelled[]): Head {
  const start = new Int32Array(texts.length + 1)
  for (const [at, { buckets }] of texts.entries()) start[at + 1] = start[at]! + buckets.length
  const bucket = new Int32Array(start[texts.length]!)
  for (const [at, { buckets }] of texts.entries()) bucket.set(buckets, start[at]!)
  const target = new Int8Array(2 * texts.length)
  for (const [at, { wanted }] of texts.entries()) target[2 * at + Number(wanted)] = 1
  const weight = Float32Array.from(texts, (text) => text.weight)
  const { weights } = train({ rows: { start, bucket }, labels: ['without', 'with'], target, weight, bits: BITS, epochs: 10, rate: 0.2, decay: 1e-3 })
  const differences = Float32Array.from({ length: weights.length / 2 }, (_, at) => weights[2 * at + 1]! - weights[2 * at]!)
  return inSteps(differences, SPELLING_LABELS, BITS, Float64Array.of(0), STEPS)
}
