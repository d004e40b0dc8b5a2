import { expect, test } from 'vitest'
import type { Directions } from '../../src/classify/offline/model/directions.ts'
import { GROUPS, MOST_GROUPS } from '../../src/classify/offline/sentiment/group.ts'
import { commonRow, ownRow } from '../../src/classify/offline/sentiment/sentiment-model.ts'
import { generator } from './linear.ts'
import type { MoodTexts } from './mood-learner.ts'
import { type FloatMoods, learnOnce, temperedLabels, trainMoods } from './sentiment-net.ts'
import type { Vocabulary } from './vocabulary.ts'

const FEATURE = 77
const WORD = 1
const SELDOM = 2
const GROUP = GROUPS.indexOf('diary')
const NOWHERE: Directions = { keys: new Int32Array(0), dimensions: 4, placeOf: () => -1, unit: new Float32Array(0) }

/** One positive text with one feature and one word, which is in a group besides its family. */
const TEXTS: MoodTexts = {
  start: Int32Array.of(0, 1),
  bucket: Int32Array.of(FEATURE),
  wordStart: Int32Array.of(0, 1),
  word: Int32Array.of(0),
  negated: Uint8Array.of(0),
  family: Uint8Array.of(0),
  groups: GROUPS.length,
  group: Int32Array.from({ length: MOST_GROUPS }, (_, at) => [0, GROUP][at] ?? 0),
  share: Float32Array.from({ length: MOST_GROUPS }, (_, at) => (at < 2 ? 1 : 0)),
  english: Uint8Array.of(1),
  wanted: Float32Array.of(1, 0, 0),
  firm: Uint8Array.of(0),
  weight: Float32Array.of(1),
  common: Float32Array.of(1),
}
const ALONE: Vocabulary = { signs: [WORD], seldom: [] }

/** Weights after that text, of which so much is common to all texts. */
const learned = (common: number): FloatMoods =>
  trainMoods({ ...TEXTS, common: Float32Array.of(common) }, ALONE, NOWHERE, new Map())

const positive = ({ weights }: FloatMoods, row: number) => weights[3 * row]!

test('a text teaches its group and all texts what its feature means, and its group in smaller steps', () => {
  const moods = learned(1)
  expect(positive(moods, commonRow(FEATURE))).toBeGreaterThan(0)
  expect(positive(moods, ownRow(FEATURE, GROUP))).toBeGreaterThan(0)
  expect(positive(moods, ownRow(FEATURE, GROUP))).toBeLessThan(positive(moods, commonRow(FEATURE)))
})

test('a text teaches the filters what its words say everywhere and in its group', () => {
  const { convolution } = learned(1)
  const filters = convolution.bias.length
  const positiveIn = (group: number) => convolution.own.slice(3 * group * filters, (3 * group + 1) * filters)
  expect(Math.max(...convolution.bias)).toBeGreaterThan(0)
  expect(convolution.common).not.toEqual(learned(0).convolution.common)
  expect(Math.max(...positiveIn(GROUP))).toBeGreaterThan(0)
  expect(Math.max(...positiveIn(GROUPS.indexOf('news')).map(Math.abs))).toBe(0)
})

test('a text of which nothing is common teaches its group alone, and neither all texts nor the net', () => {
  const moods = learned(0)
  expect(positive(moods, commonRow(FEATURE))).toBe(0)
  expect([...moods.bias]).toEqual([0, 0, 0])
  expect(Math.max(...moods.firstBias)).toBe(0)
  expect(Math.max(...moods.convolution.bias.map(Math.abs))).toBe(0)
  expect(positive(moods, ownRow(FEATURE, GROUP))).toBeGreaterThan(0)
})

test('a text of no group teaches what all texts share, and no group anything', () => {
  const moods = trainMoods({ ...TEXTS, share: new Float32Array(MOST_GROUPS) }, ALONE, NOWHERE, new Map())
  expect(positive(moods, commonRow(FEATURE))).toBeGreaterThan(0)
  expect(Math.max(...moods.convolution.bias)).toBeGreaterThan(0)
  expect(positive(moods, ownRow(FEATURE, GROUP))).toBe(0)
  expect(Math.max(...moods.groupBias.map(Math.abs))).toBe(0)
  expect(Math.max(...moods.convolution.own.map(Math.abs))).toBe(0)
})

test('a word begins with what people say of it, in a number behind those of its direction', () => {
  const last = (rating: number) => trainMoods(TEXTS, ALONE, NOWHERE, new Map([[WORD, rating]])).vectors.at(-1)!
  expect(learned(1).dimensions).toBe(NOWHERE.dimensions + 1)
  expect(last(1)).toBeGreaterThan(last(0.5))
  expect(last(0.5)).toBeGreaterThan(0.5)
  expect(last(-1)).toBeLessThan(-0.5)
})

test('a word that stands in too few texts is read by its direction, and is not learned', () => {
  const directions: Directions = {
    keys: Int32Array.of(9),
    dimensions: 4,
    placeOf: (stem) => (stem === SELDOM ? 0 : -1),
    unit: Float32Array.of(1, 0, 0, 0),
  }
  const of = (word: number) =>
    trainMoods({ ...TEXTS, word: Int32Array.of(word) }, { signs: [WORD], seldom: [SELDOM] }, directions, new Map())
  const [known, seldom, none] = [of(0), of(1), of(-1)]
  for (const { vectors, dimensions } of [known, seldom, none]) expect(vectors.length).toBe(dimensions)
  expect(seldom.vectors).toEqual(none.vectors)
  expect(known.vectors).not.toEqual(none.vectors)
  // What a filter makes of the one number that the word has is learned; of the others nothing, as long as they stay at
  // zero.
  const filters = none.convolution.bias.length
  const middle = ({ convolution: { weights } }: FloatMoods) =>
    weights.subarray(none.dimensions * filters, 2 * none.dimensions * filters)
  expect(middle(seldom).subarray(0, filters)).not.toEqual(middle(none).subarray(0, filters))
  expect(middle(seldom).subarray(filters)).toEqual(middle(none).subarray(filters))
  expect(middle(known).subarray(filters)).not.toEqual(middle(none).subarray(filters))
})

test('what is said of a text are probabilities, and the label it has learned is likeliest', () => {
  const { said } = learnOnce(TEXTS, ALONE, NOWHERE, new Map(), generator(1))
  const [positively, negatively, neutrally] = said
  expect(positively! + negatively! + neutrally!).toBeCloseTo(1)
  expect(positively).toBeGreaterThan(Math.max(negatively!, neutrally!))
})

test('what was said of a text draws its label, but none that is beyond doubt', () => {
  const said = Float32Array.of(0.25, 0.5, 0.25)
  const drawn = temperedLabels(
    { wanted: Float32Array.of(1, 0, 0, 1, 0, 0), firm: Uint8Array.of(0, 1) },
    Float32Array.of(...said, ...said),
  )
  for (const [at, likely] of [0.55, 0.3, 0.15, 1, 0, 0].entries()) expect(drawn[at]).toBeCloseTo(likely)
})

test('a text whose label is beyond doubt teaches more than one that was doubted', () => {
  const firmly = trainMoods({ ...TEXTS, firm: Uint8Array.of(1) }, ALONE, NOWHERE, new Map())
  expect(positive(firmly, commonRow(FEATURE))).toBeGreaterThan(positive(learned(1), commonRow(FEATURE)))
})
