import type { Convolution } from '../../src/classify/offline/model/convolution.ts'
import type { Directions } from '../../src/classify/offline/model/directions.ts'
import { softmax } from '../../src/classify/offline/model/heads.ts'
import { commonRow, ownRow, putDirection } from '../../src/classify/offline/sentiment/sentiment-model.ts'
import { FEATURE_BITS } from '../../src/classify/offline/text/features.ts'
import { tempered } from './belief.ts'
import { ConvolutionLearner } from './convolution.ts'
import { type HiddenLayer, netLearner } from './hidden-layer.ts'
import { generator, shuffle } from './linear.ts'
import { eachGroup, LABELS, type Learner, type MoodTexts } from './mood-learner.ts'
import { type Moved, type MovedVectors, move, moved, scattered } from './steps.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Float weights before they are rounded. */
export interface FloatMoods extends HiddenLayer {
  /** Numbers for positive, negative and neutral, for every bucket. */
  weights: Float32Array
  bias: Float64Array
  groupBias: Float64Array
  vectors: Float32Array
  dimensions: number
  convolution: Convolution
}

const EPOCHS = 4
/** What is said of a text in the last of them is what the first of two learners makes of it. */
const SAYING_EPOCHS = 2
/** Steps of the feature weights, which fall to zero by the end. */
const RATE = 0.09
/** What a feature says in a group besides is learned in smaller steps: of most groups there are few texts. */
const OWN_RATE = 0.6 * RATE
/** Pull of a feature's weight towards zero, relative to its own step. */
const DECAY = 3e-4
/** The number that says how a word is rated, at the start, for the most positive one. */
const RATED = 2

/**
 * Learns twice from the same texts: what the first learner makes of a text tempers its label for the second one, whose
 * weights are returned.
 */
export function trainMoods(
  texts: MoodTexts,
  vocabulary: Vocabulary,
  directions: Directions,
  ratings: ReadonlyMap<number, number>,
): FloatMoods {
  const learn = (taught: MoodTexts, seed: number) => learnOnce(taught, vocabulary, directions, ratings, generator(seed))
  const { said } = learn(texts, 20261122)
  return learn({ ...texts, wanted: temperedLabels(texts, said) }, 20261123).moods
}

/** What is wanted of each text, drawn towards what was `said` of it, save where a label is beyond doubt. */
export function temperedLabels({ wanted, firm }: Pick<MoodTexts, 'wanted' | 'firm'>, said: Float32Array): Float32Array {
  return wanted.map((likely, at) => (firm[Math.floor(at / LABELS)] === 1 ? likely : tempered(likely, said[at]!)))
}

/**
 * Learns the feature weights, the net and the filters together, by adaptive gradient descent over the texts in a fixed
 * shuffled order. The vectors of known words start where `directions` has them, the others close to zero, with one
 * number more: what `ratings` say of the word, from -1 to 1. Those of `seldom` words, which have a direction, stay
 * there. `said` is how likely each label was found for each text, the mean of the last rounds.
 */
export function learnOnce(
  texts: MoodTexts,
  vocabulary: Vocabulary,
  directions: Directions,
  ratings: ReadonlyMap<number, number>,
  random: () => number,
): { moods: FloatMoods; said: Float32Array } {
  const vectors = startingVectors(vocabulary, directions, ratings, random)
  const parts = [
    weightsLearner(texts),
    netLearner(texts, vectors, random),
    new ConvolutionLearner(texts, vectors, random),
  ] as const
  const order = Int32Array.from({ length: texts.weight.length }, (_, index) => index)
  const said = new Float32Array(texts.wanted.length)
  const likely = new Float64Array(LABELS)
  const errors = new Float64Array(LABELS)
  const common = new Float64Array(LABELS)
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    shuffle(order, random)
    for (let turn = 0; turn < order.length; turn += 1) {
      const index = order[turn]!
      const left = 1 - (epoch + turn / order.length) / EPOCHS
      likely.fill(0)
      for (const part of parts) part.read(index, likely)
      softmax(likely, 1)
      for (let label = 0; label < LABELS; label += 1) {
        const at = index * LABELS + label
        if (epoch >= EPOCHS - SAYING_EPOCHS) said[at]! += likely[label]! / SAYING_EPOCHS
        errors[label] = (texts.wanted[at]! - likely[label]!) * texts.weight[index]!
        common[label] = texts.common[index]! * errors[label]!
      }
      for (const part of parts) part.learn(index, errors, common, left)
    }
  }
  const [weights, net, convolution] = parts
  const moods = {
    ...weights.learned,
    ...net.learned,
    vectors: vectors.values.subarray(0, vocabulary.signs.length * vectors.dimensions),
    dimensions: vectors.dimensions,
    convolution: convolution.learned,
  }
  return { moods, said }
}

/** A weight for every feature, once for all texts and once more for each group but the first. */
function weightsLearner(texts: MoodTexts): Learner<Pick<FloatMoods, 'weights' | 'bias' | 'groupBias'>> {
  const weights = moved(new Float32Array(LABELS << FEATURE_BITS), 1e-3)
  const bias = moved(new Float64Array(LABELS), 1)
  const groupBias = moved(new Float64Array(LABELS * texts.groups), 1)
  const shareOf = (index: number) => 1 / Math.sqrt(Math.max(1, texts.start[index + 1]! - texts.start[index]!))
  return {
    learned: { weights: weights.values, bias: bias.values, groupBias: groupBias.values },
    read(index, scores) {
      const share = shareOf(index)
      for (let label = 0; label < LABELS; label += 1) scores[label]! += bias.values[label]!
      addWeights(texts, index, null, weights.values, share, scores)
      eachGroup(texts, index, (group, belongs) => {
        for (let label = 0; label < LABELS; label += 1)
          scores[label]! += belongs * groupBias.values[group * LABELS + label]!
        if (group > 0) addWeights(texts, index, group, weights.values, belongs * share, scores)
      })
    },
    learn(index, errors, common, left) {
      const rate = RATE * left
      const share = shareOf(index)
      for (let label = 0; label < LABELS; label += 1) move(bias, label, common[label]!, rate)
      moveWeights(texts, index, null, weights, rate, common, share)
      eachGroup(texts, index, (group, belongs) => {
        for (let label = 0; label < LABELS; label += 1)
          move(groupBias, group * LABELS + label, errors[label]! * belongs, rate)
        if (group > 0) moveWeights(texts, index, group, weights, OWN_RATE * left, errors, share * belongs)
      })
    },
  }
}

/** Adds the rows of a group, or the common ones where it is null, `share` times. */
function addWeights(
  { start, bucket }: MoodTexts,
  index: number,
  group: number | null,
  weights: Float32Array,
  share: number,
  scores: Float64Array,
): void {
  let positive = 0
  let negative = 0
  let neutral = 0
  for (let at = start[index]!; at < start[index + 1]!; at += 1) {
    const place = (group === null ? commonRow(bucket[at]!) : ownRow(bucket[at]!, group)) * LABELS
    positive += weights[place]!
    negative += weights[place + 1]!
    neutral += weights[place + 2]!
  }
  scores[0]! += share * positive
  scores[1]! += share * negative
  scores[2]! += share * neutral
}

function moveWeights(
  { start, bucket }: MoodTexts,
  index: number,
  group: number | null,
  { values, squares }: Moved,
  rate: number,
  errors: Float64Array,
  share: number,
): void {
  const positive = errors[0]! * share
  const negative = errors[1]! * share
  const neutral = errors[2]! * share
  for (let at = start[index]!; at < start[index + 1]!; at += 1) {
    const place = (group === null ? commonRow(bucket[at]!) : ownRow(bucket[at]!, group)) * LABELS
    const high = positive - DECAY * values[place]!
    const low = negative - DECAY * values[place + 1]!
    const even = neutral - DECAY * values[place + 2]!
    squares[place]! += high * high
    squares[place + 1]! += low * low
    squares[place + 2]! += even * even
    values[place]! += (rate * high) / Math.sqrt(squares[place]!)
    values[place + 1]! += (rate * low) / Math.sqrt(squares[place + 1]!)
    values[place + 2]! += (rate * even) / Math.sqrt(squares[place + 2]!)
  }
}

function startingVectors(
  { signs, seldom }: Vocabulary,
  directions: Directions,
  ratings: ReadonlyMap<number, number>,
  random: () => number,
): MovedVectors {
  const dimensions = directions.dimensions + 1
  const words = [...signs, ...seldom]
  const values = new Float32Array(words.length * dimensions)
  values.set(scattered(signs.length * dimensions, 0.05, random))
  for (const [word, sign] of words.entries()) {
    const from = word * dimensions
    const place = directions.placeOf(sign)
    if (place >= 0) putDirection(directions, place, values, from)
    const rating = ratings.get(sign)
    if (rating !== undefined) values[from + directions.dimensions] = RATED * rating
  }
  // Steps are divided by the root of this: those of seldom words are none.
  const squares = Float32Array.from(words, (_, word) => (word < signs.length ? 1e-2 : Number.POSITIVE_INFINITY))
  return { values, squares, dimensions }
}
