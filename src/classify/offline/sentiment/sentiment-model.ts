import type { Platform } from '../../../domain/platform/platforms.ts'
import { addAnswers, type ConvolutionReader, readerOf } from '../model/convolution.ts'
import { type Directions, keyOf, rowFinder } from '../model/directions.ts'
import { FAMILIES, type Family, familyOf } from '../model/family.ts'
import type { Parts } from '../model/model-file.ts'
import { FEATURE_BITS, type Features } from '../text/features.ts'
import type { TextReading } from '../text/reading.ts'
import { MAX_CHARACTERS } from '../text/tokens.ts'
import { type Belonging, groupsOf, newBelonging } from './group.ts'
import { extractMoodFeatures, type MoodFeatures, newMoodFeatures } from './sentiment-features.ts'
import { decodeMoods, inputsOf, MOODS, type MoodNet, type MoodParts, WEIGHED } from './sentiment-parts.ts'

/** The parts made ready for scoring, with room for one text at a time. */
export interface Moods {
  parts: MoodParts
  words: WordTable
  reader: ConvolutionReader
  features: MoodFeatures | null
  /** Which of the words each token is, or -1. */
  rows: Int32Array
  belonging: Belonging
  inputs: Float32Array
}

/** The vectors of words, a row for each. */
interface WordTable {
  /** Which of the rows a word with this key has, or -1. */
  rowOf: (key: number) => number
  vectors: Float32Array
}

/**
 * `directions` are those that the model was learned with: of words that were not learned they are all that is known.
 */
export function moodsOf(model: Parts, directions: Directions): Moods {
  return readyMoods(decodeMoods(model), directions)
}

export function readyMoods(parts: MoodParts, directions: Directions): Moods {
  const words = wordTable(parts, directions)
  return {
    parts,
    words,
    reader: readerOf(parts.convolution, words.vectors, parts.words.dimensions),
    features: null,
    rows: new Int32Array(MAX_CHARACTERS + 1),
    belonging: newBelonging(),
    inputs: new Float32Array(inputsOf(parts.words.dimensions)),
  }
}

/**
 * The words that were learned, and behind them those that were met too seldom for that, as learning had them: where
 * learned words began. The last number of a vector says how people rate the word, which is not known of these.
 */
function wordTable({ words: { keys, dimensions, vectors }, step }: MoodParts, directions: Directions): WordTable {
  if (dimensions !== directions.dimensions + 1)
    throw new Error('the classifier model is damaged: its words have no such directions')
  const learned = rowFinder(keys)
  const others = [...directions.keys.keys()].filter((row) => learned(directions.keys[row]!) < 0)
  const table = new Float32Array((keys.length + others.length) * dimensions)
  for (let at = 0; at < vectors.length; at += 1) table[at] = vectors[at]! * step
  for (const [at, row] of others.entries())
    putDirection(directions, row * directions.dimensions, table, (keys.length + at) * dimensions)
  const otherOf = rowFinder(Int32Array.from(others, (row) => directions.keys[row]!))
  const rowOf = (key: number): number => {
    const row = learned(key)
    if (row >= 0) return row
    const other = otherOf(key)
    return other < 0 ? -1 : keys.length + other
  }
  return { rowOf, vectors: table }
}

/**
 * Puts the direction at `place` into a table of vectors, where one begins: the vector of a word before it is learned.
 */
export function putDirection({ unit, dimensions }: Directions, place: number, into: Float32Array, from: number): void {
  for (let at = 0; at < dimensions; at += 1) into[from + at] = LENGTH * unit[place + at]!
}

/** The length of a word's vector before it is learned. */
const LENGTH = 1.7

/** The scores of a text for `WEIGHED`, into `into`; neutral stands at zero. */
export function weigh(moods: Moods, reading: TextReading, platform: Platform, term: string, into: Float64Array): void {
  const { tokens, features } = reading
  moods.features ??= newMoodFeatures(tokens)
  extractMoodFeatures(tokens, features, term, moods.features)
  const family = familyOf(platform)
  groupsOf(moods.parts.groups, tokens, features, platform, term, moods.belonging)
  findWords(moods, moods.features.sign, tokens.count)
  addHead(moods.parts, features, moods.features.count, moods.belonging, into)
  addNet(moods, features, tokens.count, family, into)
  addConvolution(moods, features, tokens.count, into)
  if (moods.features.takesBack) into[NEGATIVE]! -= TAKEN_BACK
}

function addHead(
  { head, groupBias }: MoodParts,
  { bucket }: Features,
  count: number,
  { group, share, count: groups }: Belonging,
  into: Float64Array,
): void {
  const { weights, scale, bias } = head
  let positive = 0
  let negative = 0
  for (let at = 0; at < count; at += 1) {
    const place = commonRow(bucket[at]!) * MOODS
    positive += weights[place]!
    negative += weights[place + 1]!
  }
  into[0] = bias[0]!
  into[1] = bias[1]!
  for (let value = 0; value < groups; value += 1) {
    const own = group[value]!
    into[0] += share[value]! * groupBias[own * MOODS]!
    into[1] += share[value]! * groupBias[own * MOODS + 1]!
    if (own === 0) continue
    let ownPositive = 0
    let ownNegative = 0
    for (let at = 0; at < count; at += 1) {
      const place = ownRow(bucket[at]!, own) * MOODS
      ownPositive += weights[place]!
      ownNegative += weights[place + 1]!
    }
    positive += share[value]! * ownPositive
    negative += share[value]! * ownNegative
  }
  const length = count === 0 ? 0 : 1 / Math.sqrt(count)
  into[0] += positive * scale[0]! * length
  into[1] += negative * scale[1]! * length
}

/** The row of weights of a feature that counts in every text: in the lower half. */
export function commonRow(bucket: number): number {
  return bucket & HALF
}

/** The row that counts in one group besides: in the upper half, whichever the group. */
export function ownRow(bucket: number, group: number): number {
  let value = Math.imul(bucket ^ Math.imul(group + 1, 0x9e3779b1), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 15), 0xc2b2ae35)
  return ((value ^ (value >>> 13)) & HALF) + HALF + 1
}

const NEGATIVE = WEIGHED.indexOf('negative')
/**
 * What a text that takes blame back needs beyond its words to be negative: texts with negations mostly complain, and
 * "isn't" has learned more of that than the few that say "it isn't bad" can make good.
 */
const TAKEN_BACK = 1
const HALF = (1 << (FEATURE_BITS - 1)) - 1

/** The row of what a token's vector is looked up by (`MoodFeatures.sign`), or -1; `rowOf` knows rows by their keys. */
export function rowOfSign(sign: number, rowOf: (key: number) => number): number {
  return sign === 0 ? -1 : rowOf(keyOf(sign))
}

function findWords({ words: { rowOf }, rows }: Moods, signs: Int32Array, count: number): void {
  for (let token = 0; token < count; token += 1) rows[token] = rowOfSign(signs[token]!, rowOf)
}

function addNet(
  { parts, rows, words: { vectors }, inputs }: Moods,
  { negated, english }: Features,
  count: number,
  family: Family,
  into: Float64Array,
): void {
  const { net } = parts
  const { dimensions } = parts.words
  inputs.fill(0)
  let known = 0
  for (let token = 0; token < count; token += 1) {
    if (rows[token]! < 0) continue
    const place = rows[token]! * dimensions
    const from = negated[token]! * dimensions
    known += 1
    for (let at = 0; at < dimensions; at += 1) inputs[from + at]! += vectors[place + at]!
  }
  const share = known === 0 ? 0 : 1 / Math.sqrt(known)
  for (let at = 0; at < 2 * dimensions; at += 1) inputs[at]! *= share
  inputs[2 * dimensions + FAMILIES.indexOf(family)] = 1
  inputs[2 * dimensions + FAMILIES.length] = english ? 1 : 0
  let unit = 0
  for (; unit + 4 <= net.units; unit += 4) addUnits(net, unit, inputs, into)
  for (; unit < net.units; unit += 1) addUnit(net, unit, sumOfUnit(net, unit, inputs), into)
}

function addConvolution(
  { parts, reader, rows, belonging }: Moods,
  { negated }: Features,
  count: number,
  into: Float64Array,
): void {
  const { common, own } = parts.convolution
  const strongest = reader.strongest(rows, negated, count)
  addAnswers(common, 0, strongest, 1, into)
  for (let value = 0; value < belonging.count; value += 1)
    addAnswers(own, belonging.group[value]! * MOODS * strongest.length, strongest, belonging.share[value]!, into)
}

/** Four units at a time, whose sums do not wait for one another. */
function addUnits(net: MoodNet, unit: number, inputs: Float32Array, into: Float64Array): void {
  const { first, firstBias } = net
  const size = inputs.length
  let value = firstBias[unit]!
  let two = firstBias[unit + 1]!
  let three = firstBias[unit + 2]!
  let four = firstBias[unit + 3]!
  for (let at = 0, row = unit * size; at < size; at += 1, row += 1) {
    const input = inputs[at]!
    value += first[row]! * input
    two += first[row + size]! * input
    three += first[row + 2 * size]! * input
    four += first[row + 3 * size]! * input
  }
  addUnit(net, unit, value, into)
  addUnit(net, unit + 1, two, into)
  addUnit(net, unit + 2, three, into)
  addUnit(net, unit + 3, four, into)
}

function sumOfUnit({ first, firstBias }: MoodNet, unit: number, inputs: Float32Array): number {
  let sum = firstBias[unit]!
  for (let at = 0, row = unit * inputs.length; at < inputs.length; at += 1, row += 1) sum += first[row]! * inputs[at]!
  return sum
}

function addUnit({ second, units }: MoodNet, unit: number, sum: number, into: Float64Array): void {
  if (sum > 0) for (let mood = 0; mood < MOODS; mood += 1) into[mood]! += sum * second[mood * units + unit]!
}
