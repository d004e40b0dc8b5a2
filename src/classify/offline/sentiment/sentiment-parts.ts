import { SENTIMENTS } from '../../../domain/mention/classification.ts'
import { type Convolution, WIDTH } from '../model/convolution.ts'
import { decodeVectors, encodeVectors, type WordVectors } from '../model/directions.ts'
import { FAMILIES } from '../model/family.ts'
import { headOf, type ModelFileHead, numbersOf, type Parts, sectionOf } from '../model/model-file.ts'
import { FEATURE_BITS } from '../text/features.ts'
import { MANNER_LABELS } from '../text/manner.ts'
import { GROUPS, type LearnedGroups } from './group.ts'

/** The sentiments that are weighed; neutral is the measure, at zero. */
export const WEIGHED = ['positive', 'negative'] as const
export const MOODS = WEIGHED.length

/**
 * What was learned of sentiment: a weight for every feature, once for all texts and once more for each group but the
 * first, a small net over the sums of the words' vectors, those in the reach of a negation apart, and filters over the
 * vectors in their order, which say something for all texts and once more for each group.
 */
export interface MoodParts extends Calibration {
  head: ModelFileHead
  groups: LearnedGroups
  /** For each of GROUPS and then each brand what it adds to the bias, `MOODS` numbers a group. */
  groupBias: readonly number[]
  /**
   * Of each word and sign that was learned one number more than a direction has, which began with how people rated it.
   */
  words: WordVectors
  /** A word's numbers are its whole ones times this. */
  step: number
  net: MoodNet
  convolution: Convolution
}

/** How scores are read as probabilities, which a model keeps when its weights are learned anew from more texts. */
export interface Calibration {
  temperature: number
  /**
   * How likely a verdict is right: the slope over the logit of its probability, then offsets for each of SENTIMENTS and
   * each of FAMILIES.
   */
  sureness: readonly number[]
}

/**
 * One hidden layer of rectified units over the sums of the words' vectors, the family and whether the text reads as
 * English.
 */
export interface MoodNet {
  units: number
  /** `units` rows of as many numbers as there are inputs. */
  first: Float32Array
  firstBias: Float32Array
  /** `MOODS` rows of `units` numbers. */
  second: Float32Array
}

/**
 * Numbers that the net reads: the sum of the vectors, that of the negated words, one for each family, and one for
 * English.
 */
export function inputsOf(dimensions: number): number {
  return 2 * dimensions + FAMILIES.length + 1
}

/** The parts as the model file keeps them. */
export function encodeMoods({
  head,
  groups,
  groupBias,
  words,
  step,
  net,
  convolution,
  temperature,
  sureness,
}: MoodParts): Parts {
  return {
    heads: { sentiment: head, 'sentiment.manners': groups.manners },
    sections: {
      'sentiment.words': encodeVectors(words),
      'sentiment.net': encodeFloats([net.first, net.firstBias, net.second]),
      'sentiment.filters': encodeFloats([
        convolution.weights,
        convolution.bias,
        convolution.negated,
        convolution.common,
        convolution.own,
      ]),
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

/**
 * The arrays of these lengths that `encodeFloats` has written. @throws Error when these are no lengths, or there are
 * more bytes, or fewer
 */
function decodeFloats(bytes: Uint8Array, lengths: readonly number[]): Float32Array[] {
  const whole = lengths.every((length) => Number.isInteger(length) && length >= 0)
  if (!whole || bytes.length !== 4 * lengths.reduce((sum, length) => sum + length, 0)) throw damaged()
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
  return {
    temperature: numbersOf(model, 'sentiment.temperature')[0]!,
    sureness: numbersOf(model, 'sentiment.sureness'),
  }
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
  const [first, firstBias, second] = decodeFloats(sectionOf(model, 'sentiment.net'), [
    units * inputsOf(dimensions),
    units,
    units * MOODS,
  ])
  return { units, first: first!, firstBias: firstBias!, second: second! }
}

function convolutionOf(model: Parts, dimensions: number, groups: number): Convolution {
  const filters = numbersOf(model, 'sentiment.filters')[0]!
  const lengths = [WIDTH * dimensions, 1, 1, MOODS, MOODS * groups].map((rows) => rows * filters)
  const [weights, bias, negated, common, own] = decodeFloats(sectionOf(model, 'sentiment.filters'), lengths)
  return { weights: weights!, bias: bias!, negated: negated!, common: common!, own: own! }
}
