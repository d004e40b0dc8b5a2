import { SENTIMENTS } from '../../domain/mention/classification.ts'
import type { Platform } from '../../domain/post/platform.ts'
import { decodeVectors, encodeVectors, keyOf, rowFinder, type WordVectors } from './directions.ts'
import { FAMILIES, type Family, familyOf } from './family.ts'
import { FEATURE_BITS, type Features } from './features.ts'
import { type Belonging, GROUPS, groupsOf, type LearnedGroups, newBelonging } from './group.ts'
import { MANNER_LABELS } from './manner.ts'
import { type Head, headOf, type Model, numbersOf, type Parts, sectionOf } from './model-file.ts'
import type { Reading } from './reading.ts'
import { extractMoodFeatures, type MoodFeatures, newMoodFeatures } from './sentiment-features.ts'

/** The sentiments that are weighed; neutral is the measure, at zero. */
export const WEIGHED = ['positive', 'negative'] as const
const MOODS = WEIGHED.length

/**
 * What was learned of sentiment: a weight for every feature, once for all texts and once more for each group but the
 * first, and a small net over the sums of the words' vectors, those in the reach of a negation apart.
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
  features: MoodFeatures | null
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
  return {
    parts,
    rowOf: rowFinder(keys),
    vectors: Float32Array.from(vectors, (value) => value * parts.step),
    features: null,
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
  groupsOf(moods.parts.groups, tokens, features, family, term, moods.belonging)
  addHead(moods.parts, features, moods.features.count, moods.belonging, into)
  addNet(moods, moods.features.stem, features, tokens.count, family, into)
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

function addNet(
  { parts, rowOf, vectors, inputs }: Moods,
  stems: Int32Array,
  { negated, english }: Features,
  count: number,
  family: Family,
  into: Float64Array,
): void {
  const { net, words } = parts
  const { dimensions } = words
  inputs.fill(0)
  let known = 0
  for (let token = 0; token < count; token += 1) {
    const stem = stems[token]!
    const row = stem === 0 ? -1 : rowOf(keyOf(stem))
    if (row < 0) continue
    const place = row * dimensions
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
export function encodeMoods({ head, groups, groupBias, words, step, net, temperature, sureness }: MoodParts): Parts {
  const layers = new Float32Array([...net.first, ...net.firstBias, ...net.second])
  const bytes = Buffer.alloc(4 * layers.length)
  for (const [at, value] of layers.entries()) bytes.writeFloatLE(value, 4 * at)
  return {
    heads: { sentiment: head, 'sentiment.manners': groups.manners },
    sections: { 'sentiment.words': encodeVectors(words), 'sentiment.net': bytes },
    numbers: {
      'sentiment.brands': [...groups.brands.keys()],
      'sentiment.groups': groupBias,
      'sentiment.step': [step],
      'sentiment.units': [net.units],
      'sentiment.temperature': [temperature],
      'sentiment.sureness': sureness,
    },
  }
}

export function calibrationOf(model: Parts): Calibration {
  return { temperature: numbersOf(model, 'sentiment.temperature')[0]!, sureness: numbersOf(model, 'sentiment.sureness') }
}

/** @throws Error when the model's parts do not fit one another */
export function decodeMoods(model: Parts): MoodParts {
  const words = decodeVectors(sectionOf(model, 'sentiment.words'))
  const units = numbersOf(model, 'sentiment.units')[0]!
  const bytes = sectionOf(model, 'sentiment.net')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const inputs = inputsOf(words.dimensions)
  const head = headOf(model, 'sentiment', WEIGHED)
  const manners = headOf(model, 'sentiment.manners', MANNER_LABELS)
  const brands = numbersOf(model, 'sentiment.brands')
  const groupBias = numbersOf(model, 'sentiment.groups')
  const step = numbersOf(model, 'sentiment.step')[0]!
  const calibration = calibrationOf(model)
  const fits =
    bytes.length === 4 * units * (inputs + 1 + MOODS) &&
    head.bits === FEATURE_BITS &&
    groupBias.length === MOODS * (GROUPS.length + brands.length) &&
    calibration.sureness.length === 1 + SENTIMENTS.length + FAMILIES.length &&
    calibration.temperature > 0 &&
    step > 0
  if (!fits) throw new Error('the classifier model is damaged: its sentiment parts do not fit together')
  const numbers = (from: number, count: number) => Float32Array.from({ length: count }, (_, at) => view.getFloat32(4 * (from + at), true))
  return {
    head,
    groups: { manners, brands: new Map(brands.map((brand, place) => [brand, place])) },
    groupBias,
    words,
    step,
    net: { units, first: numbers(0, units * inputs), firstBias: numbers(units * inputs, units), second: numbers(units * (inputs + 1), units * MOODS) },
    ...calibration,
  }
}
