import { expect, it } from 'vitest'
import type { Directions } from '../../src/classify/offline/directions.ts'
import { GROUPS, MOST_GROUPS } from '../../src/classify/offline/group.ts'
import { commonRow, ownRow } from '../../src/classify/offline/sentiment-model.ts'
import { type FloatMoods, trainMoods } from './sentiment-net.ts'

const FEATURE = 77
const GROUP = GROUPS.indexOf('diary')
const NOWHERE: Directions = { dimensions: 4, placeOf: () => -1, unit: new Float32Array(0) }

/** Weights after one positive text with one feature and one word, which is in a group besides its family. */
function learned(common: number): FloatMoods {
  const group = new Int32Array(MOST_GROUPS)
  const share = new Float32Array(MOST_GROUPS)
  group.set([0, GROUP])
  share.set([1, 1])
  const texts = {
    start: Int32Array.of(0, 1),
    bucket: Int32Array.of(FEATURE),
    wordStart: Int32Array.of(0, 1),
    word: Int32Array.of(0),
    negated: Uint8Array.of(0),
    family: Uint8Array.of(0),
    groups: GROUPS.length,
    group,
    share,
    english: Uint8Array.of(1),
    wanted: Uint8Array.of(0),
    weight: Float32Array.of(1),
    common: Float32Array.of(common),
  }
  return trainMoods(texts, [1], NOWHERE)
}

const positive = ({ weights }: FloatMoods, row: number) => weights[3 * row]!

it('a text teaches its group and all texts what its feature means', () => {
  const moods = learned(1)
  expect(positive(moods, commonRow(FEATURE))).toBeGreaterThan(0)
  expect(positive(moods, ownRow(FEATURE, GROUP))).toBeGreaterThan(0)
})

it('a text teaches the filters what its words say everywhere and in its group', () => {
  const { convolution } = learned(1)
  const filters = convolution.bias.length
  const positiveIn = (group: number) => convolution.own.slice(3 * group * filters, (3 * group + 1) * filters)
  expect(Math.max(...convolution.bias)).toBeGreaterThan(0)
  expect(convolution.common).not.toEqual(learned(0).convolution.common)
  expect(Math.max(...positiveIn(GROUP))).toBeGreaterThan(0)
  expect(Math.max(...positiveIn(GROUPS.indexOf('news')).map(Math.abs))).toBe(0)
})

it('a text of which nothing is common teaches its group alone, and neither all texts nor the net', () => {
  const moods = learned(0)
  expect(positive(moods, commonRow(FEATURE))).toBe(0)
  expect([...moods.bias]).toEqual([0, 0, 0])
  expect(Math.max(...moods.firstBias)).toBe(0)
  expect(Math.max(...moods.convolution.bias.map(Math.abs))).toBe(0)
  expect(positive(moods, ownRow(FEATURE, GROUP))).toBeGreaterThan(0)
})
