import { SENTIMENTS } from '../../domain/mention/classification.ts'
import type { Platform } from '../../domain/post/platform.ts'
import { addAnswers, type Convolution, type ConvolutionReader, readerOf, WIDTH } from './convolution.ts'
import { decodeVectors, encodeVectors, keyOf, rowFinder, type WordVectors } from './directions.ts'
import { FAMILIES, type Family, familyOf } from './family.ts'
import { FEATURE_BITS, type Features } from './features.ts'
import { type Belonging, GROUPS, groupsOf, type LearnedGroups, newBelonging } from './group.ts'
import { MANNER_LABELS } from './manner.ts'
import { type Head, headOf, type Model, numbersOf, type Parts, sectionOf } from './model-file.ts'
import type { Reading } from './reading.ts'
import { extractMoodFeatures, type MoodFeatures, newMoodFeatures } from './sentiment-features.ts'
import { MAX_CHARACTERS } from './tokens.ts'

/** The sentiments that are weighed; neutral is the measure, at zero. */
export const WEIGHED = ['positive', 'negative'] as const
const MOODS = WEIGHED.length

/**
 * What was learned of sentiment: a weight for every feature, once for all texts and once more for each group but the
 * first, a small net over the sums of the words' vectors, those in the reach of a negation apart, and filters over the
 * vectors in their order, which say something for all texts and once more for each group.
 */
export interface MoodParts extends Calibration {
  head: Head
  groups: LearnedGroups
  /** For each of GROUPS and then each brand what it adds to the bias, `MOODS` numbers a group. */
  groupBias: readonly number[]
  words: WordVectors
  /** A word's numbers are its whole ones times this. */
  step: number
  net: MoodNet
  convolution: Convolution
}

/** How scores are read as probabilities, which a model keeps when its weights are learned anew from more texts. */
export interface Calibration {
  temperature: number
  /** How likely a verdict is right: the slope over the logit of its probability, then offsets for each of SENTIMENTS and each of FAMILIES. */
  sureness: readonly number[]
}

/** One hidden layer of rectified units over the sums of the words' vectors, the family and whether the text reads as English. */
export interface MoodNet {
  units: number
  /** `units` rows of as many numbers as there are inputs. */
  first: Float32Array
  firstBias: Float32Array
  /** `MOODS` rows of `units` numbers. */
  second: Float32Array
}

/** The parts made ready for scoring, with room for one text at a time. */
export interface Moods {
  parts: MoodParts
  /** Which of the words has a key, or -1. */
  rowOf: (key: number) => number
  vectors: Float32Array
  reader: ConvolutionReader
  features: MoodFeatures | null
  /** Which of the words each token is, or -1. */
  rows: Int32Array
  belonging: Belonging
  inputs: Float32Array
}

/** Numbers that the net reads: the sum of the vectors, that of the negated words, one for each family, and one for English. */
export function inputsOf(dimensions: number): number {
  return 2 * dimensions + FAMILIES.length + 1
}

export function moodsOf(model: Model): Moods {
  return readyMoods(decodeMoods(model))
}

export function readyMoods(parts: MoodParts): Moods {
  const { keys, dimensions, vectors } = parts.words
  const scaled = Float32Array.from(vectors, (value) => value * parts.step)
  return {
    parts,
    rowOf: rowFinder(keys),
    vectors: scaled,
    reader: readerOf(parts.convolution, scaled, dimensions),
    features: null,
    rows: new Int32Array(MAX_CHARACTERS + 1),
    belonging: newBelonging(),
    inputs: new Float32Array(inputsOf(dimensions)),
  }
}

/** The scores of a text for `WEIGHED`, into `into`; neutral stands at zero. */
export function weigh(moods: Moods, reading: Reading, platform: Platform, term: string, into: Float64Array): void {
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

function addHead({ head, groupBias }: MoodParts, { bucket }: Features, count: number, { group, share, count: groups }: Belonging, into: Float64Array): void {
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
  for (let one = 0; one < groups; one += 1) {
    const own = group[one]!
    into[0] += share[one]! * groupBias[own * MOODS]!
    into[1] += share[one]! * groupBias[own * MOODS + 1]!
    if (own === 0) continue
    let ownPositive = 0
    let ownNegative = 0
    for (let at = 0; at < count; at += 1) {
      const place = ownRow(bucket[at]!, own) * MOODS
      ownPositive += weights[place]!
      ownNegative += weights[place + 1]!
    }
    positive += share[one]! * ownPositive
    negative += share[one]! * ownNegative
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

function findWords({ rowOf, rows }: Moods, signs: Int32Array, count: number): void {
  for (let token = 0; token < count; token += 1) rows[token] = signs[token] === 0 ? -1 : rowOf(keyOf(signs[token]!))
}

function addNet({ parts, rows, vectors, inputs }: Moods, { negated, english }: Features, count: number, family: Family, into: Float64Array): void {
  const { net, words } = parts
  const { dimensions } = words
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

function addConvolution({ parts, reader, rows, belonging }: Moods, { negated }: Features, count: number, into: Float64Array): void {
  const { common, own } = parts.convolution
  const strongest = reader.strongest(rows, negated, count)
  addAnswers(common, 0, strongest, 1, into)
  for (let one = 0; one < belonging.count; one += 1) addAnswers(own, belonging.group[one]! * MOODS * strongest.length, strongest, belonging.share[one]!, into)
}

/** Four units at a time, whose sums do not wait for one another. */
function addUnits(net: MoodNet, unit: number, inputs: Float32Array, into: Float64Array): void {
  const { first, firstBias } = net
  const size = inputs.length
  let one = firstBias[unit]!
  let two = firstBias[unit + 1]!
  let three = firstBias[unit + 2]!
  let four = firstBias[unit + 3]!
  for (let at = 0, row = unit * size; at < size; at += 1, row += 1) {
    const input = inputs[at]!
    one += first[row]! * input
    two += first[row + size]! * input
    three += first[row + 2 * size]! * input
    four += first[row + 3 * size]! * input
  }
  addUnit(net, unit, one, into)
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

/** The parts as the model file keeps them. */
export function encodeMoods({ head, groups, groupBias, words, step, net, convolution, temperature, sureness }: MoodParts): Parts {
  return {
    heads: { sentiment: head, 'sentiment.manners': groups.manners },
    sections: {
      'sentiment.words': encodeVectors(words),
      'sentiment.net': encodeFloats([net.first, net.firstBias, net.second]),
      'sentiment.filters': encodeFloats([convolution.weights, convolution.bias, convolution.negated, convolution.common, convolution.own]),
    },
    numbers: {
      'sentiment.brands': [...groups.brands.keys()],
      'sentiment.groups': groupBias,
      'sentiment.step': [step],
      'sentiment.units': [net.units],
      'sentiment.filters': [convolution.bias.length],
      'sentiment.temperature': [temperature],
      'sentiment.sureness': sureness,
    },
  }
}

/** Arrays of numbers one after the other, four bytes each. */
function encodeFloats(arrays: readonly Float32Array[]): Buffer {
  const bytes = Buffer.alloc(4 * arrays.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const array of arrays) for (const value of array) at = bytes.writeFloatLE(value, at)
  return bytes
}

/** The arrays of these lengths that `encodeFloats` has written. @throws Error when there are more bytes, or fewer */
function decodeFloats(bytes: Uint8Array, lengths: readonly number[]): Float32Array[] {
  if (bytes.length !== 4 * lengths.reduce((sum, length) => sum + length, 0)) throw damaged()
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  let from = 0
  return lengths.map((length) => {
    const start = from
    from += 4 * length
    return Float32Array.from({ length }, (_, at) => view.getFloat32(start + 4 * at, true))
  })
}

function damaged(): Error {
  return new Error('the classifier model is damaged: its sentiment parts do not fit together')
}

export function calibrationOf(model: Parts): Calibration {
  return { temperature: numbersOf(model, 'sentiment.temperature')[0]!, sureness: numbersOf(model, 'sentiment.sureness') }
}

/** @throws Error when the model's parts do not fit one another */
export function decodeMoods(model: Parts): MoodParts {
  const words = decodeVectors(sectionOf(model, 'sentiment.words'))
  const head = headOf(model, 'sentiment', WEIGHED)
  const manners = headOf(model, 'sentiment.manners', MANNER_LABELS)
  const brands = numbersOf(model, 'sentiment.brands')
  const groupBias = numbersOf(model, 'sentiment.groups')
  const step = numbersOf(model, 'sentiment.step')[0]!
  const calibration = calibrationOf(model)
  const groups = GROUPS.length + brands.length
  const fits =
    head.bits === FEATURE_BITS &&
    groupBias.length === MOODS * groups &&
    calibration.sureness.length === 1 + SENTIMENTS.length + FAMILIES.length &&
    calibration.temperature > 0 &&
    step > 0
  if (!fits) throw damaged()
  return {
    head,
    groups: { manners, brands: new Map(brands.map((brand, place) => [brand, place])) },
    groupBias,
    words,
    step,
    net: netOf(model, words.dimensions),
    convolution: convolutionOf(model, words.dimensions, groups),
    ...calibration,
  }
}

function netOf(model: Parts, dimensions: number): MoodNet {
  const units = numbersOf(model, 'sentiment.units')[0]!
  const [first, firstBias, second] = decodeFloats(sectionOf(model, 'sentiment.net'), [units * inputsOf(dimensions), units, units * MOODS])
  return { units, first: first!, firstBias: firstBias!, second: second! }
}

function convolutionOf(model: Parts, dimensions: number, groups: number): Convolution {
  const filters = numbersOf(model, 'sentiment.filters')[0]!
  const lengths = [WIDTH * dimensions, 1, 1, MOODS, MOODS * groups].map((rows) => rows * filters)
  const [weights, bias, negated, common, own] = decodeFloats(sectionOf(model, 'sentiment.filters'), lengths)
  return { weights: weights!, bias: bias!, negated: negated!, common: common!, own: own! }
}
