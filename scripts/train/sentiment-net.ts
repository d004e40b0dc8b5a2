import type { Directions } from '../../src/classify/offline/directions.ts'
import { FAMILIES } from '../../src/classify/offline/family.ts'
import { FEATURE_BITS } from '../../src/classify/offline/features.ts'
import { MOST_GROUPS } from '../../src/classify/offline/group.ts'
import { commonRow, inputsOf, ownRow } from '../../src/classify/offline/sentiment-model.ts'
import { generator, type Rows, shuffle } from './linear.ts'

/** The texts that teach sentiment, one after the other; text `i` lies between `start[i]` and `start[i + 1]`. */
export interface MoodTexts extends Rows {
  /** Places of the words in the table of vectors, likewise. */
  wordStart: Int32Array
  word: Int32Array
  /** 1 for each of those words that stands in the reach of a negation. */
  negated: Uint8Array
  family: Uint8Array
  /** How many groups there are. */
  groups: number
  /** `MOST_GROUPS` places a text, and how much it belongs there: not at all behind its last one. */
  group: Int32Array
  share: Float32Array
  english: Uint8Array
  /** 0 positive, 1 negative, 2 neutral. */
  wanted: Uint8Array
  weight: Float32Array
  /** How much of what is learned from the text goes to the net and the weights of all texts: 0 to 1. */
  common: Float32Array
}

/** Float weights before they are rounded. */
export interface FloatMoods {
  /** Numbers for positive, negative and neutral, for every bucket. */
  weights: Float32Array
  bias: Float64Array
  groupBias: Float64Array
  vectors: Float32Array
  dimensions: number
  units: number
  first: Float32Array
  firstBias: Float32Array
  second: Float32Array
}

/** Neutral is learned as a mood of its own, and only afterwards made the measure of the others: small sets learn better so. */
const MOODS = 3
const UNITS = 32
const EPOCHS = 4
/** Steps of the feature weights and of the net; both fall to zero by the end. */
const RATE = 0.13
const NET_RATE = 0.03
/** Pull of a feature's weight towards zero, relative to its own step. */
const DECAY = 3e-4
/** Words that are left out of a text in each round, so that the net does not lean on single ones. */
const LEFT_OUT = 0.3
/** How often the net is told the family: the words alone have to do where a platform writes like another. */
const FAMILY_TOLD = 0.8
/** The length of a word's vector at the start. */
const LENGTH = 1.7

/**
 * Learns the feature weights and the net together, by adaptive gradient descent over the texts in a fixed shuffled order.
 * The vectors of known words start where `directions` has them, the others close to zero.
 */
export function trainMoods(texts: MoodTexts, stems: readonly number[], directions: Directions): FloatMoods {
  const random = generator(20261122)
  const net = startingNet(stems, directions, texts.groups, random)
  const state = startingState(net)
  const order = Int32Array.from({ length: texts.wanted.length }, (_, index) => index)
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    shuffle(order, random)
    for (let turn = 0; turn < order.length; turn += 1) learnOne(texts, order[turn]!, net, state, 1 - (epoch + turn / order.length) / EPOCHS, random)
  }
  return net
}

/** The sums of squares by which steps shrink, and room for one text. */
interface State {
  weights: Float32Array
  bias: Float64Array
  groupBias: Float64Array
  vectors: Float32Array
  first: Float32Array
  firstBias: Float32Array
  second: Float32Array
  inputs: Float32Array
  hidden: Float32Array
  inputError: Float32Array
  /** Places in the table of vectors of the words that the net is told, and where among its inputs they are summed. */
  chosen: Int32Array
  chosenSide: Int32Array
}

function learnOne(texts: MoodTexts, index: number, net: FloatMoods, state: State, left: number, random: () => number): void {
  const { weights, dimensions, units } = net
  const { inputs, hidden, chosen, chosenSide } = state
  const { bucket } = texts
  const from = texts.start[index]!
  const to = texts.start[index + 1]!
  const family = texts.family[index]!
  const firstGroup = index * MOST_GROUPS
  const lastGroup = firstGroup + MOST_GROUPS
  const share = to > from ? 1 / Math.sqrt(to - from) : 0
  let positive = 0
  let negative = 0
  let neutral = 0
  for (let at = from; at < to; at += 1) {
    const place = commonRow(bucket[at]!) * MOODS
    positive += weights[place]!
    negative += weights[place + 1]!
    neutral += weights[place + 2]!
  }
  let groupPositive = 0
  let groupNegative = 0
  let groupNeutral = 0
  for (let one = firstGroup; one < lastGroup && texts.share[one]! > 0; one += 1) {
    const group = texts.group[one]!
    const belongs = texts.share[one]!
    groupPositive += belongs * net.groupBias[group * MOODS]!
    groupNegative += belongs * net.groupBias[group * MOODS + 1]!
    groupNeutral += belongs * net.groupBias[group * MOODS + 2]!
    if (group === 0) continue
    for (let at = from; at < to; at += 1) {
      const own = ownRow(bucket[at]!, group) * MOODS
      positive += belongs * weights[own]!
      negative += belongs * weights[own + 1]!
      neutral += belongs * weights[own + 2]!
    }
  }
  positive = positive * share + net.bias[0]! + groupPositive
  negative = negative * share + net.bias[1]! + groupNegative
  neutral = neutral * share + net.bias[2]! + groupNeutral

  let known = 0
  inputs.fill(0)
  for (let at = texts.wordStart[index]!; at < texts.wordStart[index + 1]!; at += 1) {
    if (random() < LEFT_OUT) continue
    const place = texts.word[at]! * dimensions
    const side = texts.negated[at]! * dimensions
    chosen[known] = place
    chosenSide[known] = side
    known += 1
    for (let step = 0; step < dimensions; step += 1) inputs[side + step]! += net.vectors[place + step]!
  }
  const wordShare = known > 0 ? 1 / Math.sqrt(known) : 0
  for (let step = 0; step < 2 * dimensions; step += 1) inputs[step]! *= wordShare
  inputs[2 * dimensions + family] = random() < FAMILY_TOLD ? 1 : 0
  inputs[2 * dimensions + FAMILIES.length] = texts.english[index]!
  const width = inputs.length
  for (let unit = 0; unit < units; unit += 1) {
    let sum = net.firstBias[unit]!
    const row = unit * width
    for (let at = 0; at < width; at += 1) sum += net.first[row + at]! * inputs[at]!
    hidden[unit] = Math.max(sum, 0)
    if (sum <= 0) continue
    positive += sum * net.second[unit]!
    negative += sum * net.second[units + unit]!
    neutral += sum * net.second[2 * units + unit]!
  }

  const top = Math.max(positive, negative, neutral)
  const [high, low, even] = [Math.exp(positive - top), Math.exp(negative - top), Math.exp(neutral - top)]
  const sum = high + low + even
  const weight = texts.weight[index]!
  const wanted = texts.wanted[index]!
  const highError = ((wanted === 0 ? 1 : 0) - high / sum) * weight
  const lowError = ((wanted === 1 ? 1 : 0) - low / sum) * weight
  const errors: Errors = [highError, lowError, -highError - lowError]
  const common = texts.common[index]!
  const commonErrors: Errors = [common * errors[0], common * errors[1], common * errors[2]]

  const rate = RATE * left
  for (let mood = 0; mood < MOODS; mood += 1) move(net.bias, state.bias, mood, commonErrors[mood]!, rate)
  moveWeights(texts, from, to, null, net, state, rate, commonErrors, share)
  for (let one = firstGroup; one < lastGroup && texts.share[one]! > 0; one += 1) {
    const group = texts.group[one]!
    const belongs = texts.share[one]!
    for (let mood = 0; mood < MOODS; mood += 1) move(net.groupBias, state.groupBias, group * MOODS + mood, errors[mood]! * belongs, rate)
    if (group > 0) moveWeights(texts, from, to, group, net, state, rate, errors, share * belongs)
  }
  moveNet(net, state, known, wordShare, NET_RATE * left, commonErrors)
}

/** How much more likely positive, negative and neutral should have been. */
type Errors = [positive: number, negative: number, neutral: number]

/** Moves the rows of a group, or the common ones where it is null. */
function moveWeights(
  { bucket }: MoodTexts,
  from: number,
  to: number,
  group: number | null,
  { weights }: FloatMoods,
  state: State,
  rate: number,
  [positive, negative, neutral]: Errors,
  share: number,
): void {
  const squares = state.weights
  for (let at = from; at < to; at += 1) {
    const place = (group === null ? commonRow(bucket[at]!) : ownRow(bucket[at]!, group)) * MOODS
    const high = positive * share - DECAY * weights[place]!
    const low = negative * share - DECAY * weights[place + 1]!
    const even = neutral * share - DECAY * weights[place + 2]!
    squares[place]! += high * high
    squares[place + 1]! += low * low
    squares[place + 2]! += even * even
    weights[place]! += (rate * high) / Math.sqrt(squares[place]!)
    weights[place + 1]! += (rate * low) / Math.sqrt(squares[place + 1]!)
    weights[place + 2]! += (rate * even) / Math.sqrt(squares[place + 2]!)
  }
}

function moveNet(net: FloatMoods, state: State, known: number, wordShare: number, rate: number, errors: Errors): void {
  const { dimensions, units } = net
  const { inputs, hidden, inputError, chosen, chosenSide } = state
  const width = inputs.length
  inputError.fill(0)
  for (let unit = 0; unit < units; unit += 1) {
    if (hidden[unit] === 0) continue
    let error = 0
    for (let mood = 0; mood < MOODS; mood += 1) {
      error += errors[mood]! * net.second[mood * units + unit]!
      move(net.second, state.second, mood * units + unit, errors[mood]! * hidden[unit]!, rate)
    }
    move(net.firstBias, state.firstBias, unit, error, rate)
    const row = unit * width
    for (let at = 0; at < width; at += 1) {
      inputError[at]! += error * net.first[row + at]!
      const step = error * inputs[at]!
      state.first[row + at]! += step * step
      net.first[row + at]! += (rate * step) / Math.sqrt(state.first[row + at]!)
    }
  }
  const squares = [0, 0]
  for (let step = 0; step < 2 * dimensions; step += 1) {
    inputError[step]! *= wordShare
    squares[step < dimensions ? 0 : 1]! += (inputError[step]! * inputError[step]!) / dimensions
  }
  for (let at = 0; at < known; at += 1) {
    const place = chosen[at]!
    const side = chosenSide[at]!
    const word = place / dimensions
    state.vectors[word]! += squares[side === 0 ? 0 : 1]!
    const own = rate / Math.sqrt(state.vectors[word]!)
    for (let step = 0; step < dimensions; step += 1) net.vectors[place + step]! += own * inputError[side + step]!
  }
}

function move(values: Float32Array | Float64Array, squares: Float32Array | Float64Array, at: number, step: number, rate: number): void {
  squares[at]! += step * step
  values[at]! += (rate * step) / Math.sqrt(squares[at]!)
}

function startingNet(stems: readonly number[], { dimensions, placeOf, unit }: Directions, groups: number, random: () => number): FloatMoods {
  const around = (size: number) => (2 * random() - 1) * size
  const width = inputsOf(dimensions)
  const vectors = Float32Array.from({ length: stems.length * dimensions }, () => around(0.05))
  for (const [word, stem] of stems.entries()) {
    const place = placeOf(stem)
    if (place >= 0) for (let at = 0; at < dimensions; at += 1) vectors[word * dimensions + at] = LENGTH * unit[place + at]!
  }
  return {
    weights: new Float32Array(MOODS << FEATURE_BITS),
    bias: new Float64Array(MOODS),
    groupBias: new Float64Array(MOODS * groups),
    vectors,
    dimensions,
    units: UNITS,
    first: Float32Array.from({ length: UNITS * width }, () => around(Math.sqrt(3 / width))),
    firstBias: new Float32Array(UNITS),
    second: Float32Array.from({ length: UNITS * MOODS }, () => around(0.5 * Math.sqrt(3 / UNITS))),
  }
}

function startingState(net: FloatMoods): State {
  const width = inputsOf(net.dimensions)
  return {
    weights: new Float32Array(net.weights.length).fill(1e-3),
    bias: new Float64Array(net.bias.length).fill(1),
    groupBias: new Float64Array(net.groupBias.length).fill(1),
    vectors: new Float32Array(net.vectors.length / net.dimensions).fill(1e-2),
    first: new Float32Array(net.first.length).fill(0.1),
    firstBias: new Float32Array(net.units).fill(0.1),
    second: new Float32Array(net.second.length).fill(0.1),
    inputs: new Float32Array(width),
    hidden: new Float32Array(net.units),
    inputError: new Float32Array(width),
    chosen: new Int32Array(8192),
    chosenSide: new Int32Array(8192),
  }
}
