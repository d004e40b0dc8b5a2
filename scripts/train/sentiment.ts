import { type Directions, directionsOf, keyOf } from '../../src/classify/offline/model/directions.ts'
import { FAMILIES, type Family, familyOf } from '../../src/classify/offline/model/family.ts'
import { GROUPS, groupsOf, MOST_GROUPS, newBelonging } from '../../src/classify/offline/sentiment/group.ts'
import { probabilitiesOf, surenessSigns } from '../../src/classify/offline/sentiment/sentiment.ts'
import { extractMoodFeatures, newMoodFeatures } from '../../src/classify/offline/sentiment/sentiment-features.ts'
import { readyMoods, rowOfSign, weigh } from '../../src/classify/offline/sentiment/sentiment-model.ts'
import {
  type Calibration,
  calibrationOf,
  encodeMoods,
  type MoodParts,
  WEIGHED,
} from '../../src/classify/offline/sentiment/sentiment-parts.ts'
import {
  bucketOf,
  extractFeatures,
  FEATURE_BITS,
  lengthFeature,
  newFeatures,
  pair,
  SENTENCE_START,
} from '../../src/classify/offline/text/features.ts'
import { newReading } from '../../src/classify/offline/text/reading.ts'
import { newTokens, tokenise } from '../../src/classify/offline/text/tokens.ts'
import { SENTIMENTS } from '../../src/domain/mention/classification.ts'
import { platformOf, termOf } from './data.ts'
import { commonShares, type Example, sentimentWeights } from './examples.ts'
import { trainJointly } from './joint.ts'
import { leant } from './leanings.ts'
import { lexicon } from './lexicon.ts'
import { quantise, rowsFrom } from './linear.ts'
import { type TrainedGroups, trainGroups } from './manners.ts'
import type { MoodTexts } from './mood-learner.ts'
import { type FloatMoods, trainMoods } from './sentiment-net.ts'
import type { Stage } from './stage.ts'
import { type Vocabulary, vocabularyOf } from './vocabulary.ts'

/**
 * How often texts made by hand are learned in a round: each stands for the many in which its words would have been met.
 */
const ROUNDS: ReadonlyMap<string, number> = new Map([
  ['seeds', 6],
  ['turned', 3],
  ['phrases', 1],
])
/** Vectors are rounded to whole multiples of this. */
const STEP = 0.1
/** Feature weights are rounded to so many steps up to the largest usual one. */
const LEVELS = 16

/**
 * Feature weights, a small net and filters, with the temperature that makes their probabilities honest, and how sure a
 * verdict may be.
 */
export const sentimentStage: Stage = {
  name: 'sentiment',
  learn({ training, validation, judged, vectors }) {
    const lessons = training.filter(({ sentiment, weight }) => sentiment !== null && weight > 0)
    const taught = lessons.flatMap((lesson) => Array.from({ length: ROUNDS.get(lesson.set) ?? 1 }, () => lesson))
    const groups = trainGroups(taught, ({ set }) => !ROUNDS.has(set))
    const ratings = lexicon()
    const directions = directionsOf(vectors)
    const { texts, vocabulary } = gather(taught, groups, directions, ratings)
    const parts = {
      ...rounded(trainMoods(texts, vocabulary, directions, ratings), vocabulary.signs),
      groups: groups.groups,
    }
    return encodeMoods({
      ...parts,
      ...(judged ? calibrationOf(judged) : calibrationFor(parts, directions, validation)),
    })
  },
}

/** The examples made ready, and the words and signs they are told apart by. */
function gather(
  examples: readonly Example[],
  { groups, withoutExample }: TrainedGroups,
  directions: Directions,
  ratings: ReadonlyMap<number, number>,
): { texts: MoodTexts; vocabulary: Vocabulary } {
  const tokens = newTokens()
  const features = newFeatures(tokens)
  const mood = newMoodFeatures(tokens)
  const english = new Uint8Array(examples.length)
  const belonging = newBelonging()
  const group = new Int32Array(MOST_GROUPS * examples.length)
  const share = new Float32Array(MOST_GROUPS * examples.length)
  const buckets: Int32Array[] = []
  const signsOf: Int32Array[] = []
  const negationsOf: Uint8Array[] = []
  for (const [index, { set, row }] of examples.entries()) {
    tokenise(row.text, tokens)
    extractFeatures(tokens, features)
    extractMoodFeatures(tokens, features, termOf(set, row), mood)
    const all = features.bucket.slice(0, mood.count)
    // A seed teaches its word, not that texts of one word have an opinion.
    const alone = [ONE_WORD, bucketOf(pair(SENTENCE_START, tokens.hash[0]!))]
    buckets.push(set === 'seeds' ? all.filter((bucket) => !alone.includes(bucket)) : all)
    signsOf.push(mood.sign.slice(0, tokens.count))
    negationsOf.push(features.negated.slice(0, tokens.count))
    english[index] = features.english ? 1 : 0
    // What was made by hand is meant for every text. It belongs to no group: of weights and filters it teaches the
    // common ones alone.
    belonging.count = 0
    if (!ROUNDS.has(set))
      groupsOf(withoutExample(index), tokens, features, platformOf(set), termOf(set, row), belonging)
    group.set(belonging.group.subarray(0, belonging.count), MOST_GROUPS * index)
    share.set(belonging.share.subarray(0, belonging.count), MOST_GROUPS * index)
  }
  const vocabulary = vocabularyOf(signsOf, directions, ratings)
  const places = new Map([...vocabulary.signs, ...vocabulary.seldom].map((sign, place) => [keyOf(sign), place]))
  const words = rowsFrom(signsOf.map((own) => own.map((sign) => rowOfSign(sign, (key) => places.get(key) ?? -1))))
  const texts: MoodTexts = {
    ...rowsFrom(buckets),
    wordStart: words.start,
    word: words.bucket,
    negated: Buffer.concat(negationsOf),
    family: Uint8Array.from(examples, ({ set }) => FAMILIES.indexOf(familyOf(platformOf(set)))),
    groups: GROUPS.length + groups.brands.size,
    group,
    share,
    english,
    wanted: Float32Array.from(examples.flatMap(({ sentiment }) => ORDER.map((label) => (label === sentiment ? 1 : 0)))),
    firm: Uint8Array.from(examples, ({ set }) => (ROUNDS.has(set) ? 1 : 0)),
    weight: sentimentWeights(examples),
    common: commonShares(examples),
  }
  return { texts, vocabulary }
}

const ORDER = [...WEIGHED, 'neutral']
const ONE_WORD = bucketOf(lengthFeature(1))

/** What is shipped: bytes for the feature weights, small whole numbers for the vectors; neutral becomes the measure. */
function rounded(learned: FloatMoods, signs: readonly number[]): Omit<MoodParts, 'groups' | keyof Calibration> {
  const { dimensions, units, first, firstBias, convolution } = learned
  const filters = convolution.bias.length
  const weights = againstNeutral(learned.weights, 1)
  const bias = Float64Array.from(againstNeutral(learned.bias, 1))
  return {
    head: quantise({ labels: WEIGHED, bits: FEATURE_BITS }, { weights, bias }, LEVELS),
    groupBias: [...leant(againstNeutral(learned.groupBias, 1))],
    words: {
      keys: Int32Array.from(signs, keyOf),
      dimensions,
      vectors: Int8Array.from(learned.vectors, (value) => Math.max(-127, Math.min(127, Math.round(value / STEP)))),
    },
    step: STEP,
    net: { units, first, firstBias, second: againstNeutral(learned.second, units) },
    convolution: {
      ...convolution,
      common: againstNeutral(convolution.common, filters),
      own: againstNeutral(convolution.own, filters),
    },
  }
}

/** Rows for positive, negative and neutral, each of `width` numbers, as rows for the first two less the third. */
function againstNeutral(values: Float32Array | Float64Array, width: number): Float32Array {
  const sets = values.length / (3 * width)
  const measured = new Float32Array(sets * 2 * width)
  for (let set = 0; set < sets; set += 1) {
    for (let at = 0; at < 2 * width; at += 1)
      measured[set * 2 * width + at] =
        values[set * 3 * width + at]! - values[set * 3 * width + 2 * width + (at % width)]!
  }
  return measured
}

/** A text that no weight has seen: its scores, and the place of what was wanted in SENTIMENTS. */
interface Answer {
  own: Float64Array
  family: Family
  wanted: number
}

function calibrationFor(
  parts: Omit<MoodParts, keyof Calibration>,
  directions: Directions,
  validation: readonly Example[],
): Calibration {
  const answers = answersOf(parts, directions, validation)
  const temperature = temperatureOf(answers)
  return { temperature, sureness: surenessOf(answers, temperature) }
}

function answersOf(
  parts: Omit<MoodParts, keyof Calibration>,
  directions: Directions,
  validation: readonly Example[],
): Answer[] {
  const moods = readyMoods({ ...parts, temperature: 1, sureness: [] }, directions)
  const reading = newReading()
  return validation.flatMap(({ set, row, sentiment }) => {
    if (sentiment === null) return []
    tokenise(row.text, reading.tokens)
    extractFeatures(reading.tokens, reading.features)
    const own = new Float64Array(WEIGHED.length)
    weigh(moods, reading, platformOf(set), termOf(set, row), own)
    return [{ own, family: familyOf(platformOf(set)), wanted: SENTIMENTS.indexOf(sentiment) }]
  })
}

/** The temperature under which the probabilities of the wanted answers are most likely. */
function temperatureOf(answers: readonly Answer[]): number {
  let best = { loss: Number.POSITIVE_INFINITY, temperature: 1 }
  for (let temperature = 0.5; temperature <= 3; temperature = Math.round(100 * (temperature + 0.05)) / 100) {
    let loss = 0
    for (const { own, wanted } of answers) loss -= Math.log(probabilitiesOf(own, temperature)[wanted]!)
    if (loss < best.loss) best = { loss, temperature }
  }
  return best.temperature
}

/** A logistic over what speaks for a verdict: how likely it is the wanted one. */
function surenessOf(answers: readonly Answer[], temperature: number): number[] {
  const verdicts = answers.map(({ own, family, wanted }) => {
    const probabilities = probabilitiesOf(own, temperature)
    const probability = Math.max(...probabilities)
    const given = probabilities.indexOf(probability)
    return { right: given === wanted ? 1 : 0, signs: Float32Array.from(surenessSigns(probability, given, family)) }
  })
  const { signs } = trainJointly(
    {
      rows: { buckets: verdicts.map(() => new Int32Array(0)), signs: verdicts.map((verdict) => verdict.signs) },
      labels: 1,
      target: Float32Array.from(verdicts, ({ right }) => right),
      weight: new Float32Array(verdicts.length).fill(1),
      presence: [1],
      bits: 8,
      startOfSigns: Float32Array.from([1, ...SENTIMENTS, ...FAMILIES].map((item) => (item === 1 ? 1 : 0))),
      settled: new Uint8Array(1 + SENTIMENTS.length + FAMILIES.length),
      epochs: 8,
      rate: 0,
      signRate: 0.5,
      decay: 0,
    },
    [...verdicts.keys()],
  )
  return [...signs]
}
