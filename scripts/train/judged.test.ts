import { expect, test } from 'vitest'
import type { Model } from '../../src/classify/offline/model/model-file.ts'
import { calibrationOf } from '../../src/classify/offline/sentiment/sentiment-parts.ts'
import { surenessTurned } from './judged.ts'

const numbersOf = (own: number) => ({
  'sentiment.temperature': [own],
  'sentiment.sureness': [own, own],
  'intents.lines': [own],
})
const modelOf = (own: number): Model => ({
  trainedAt: '2026-11-22',
  heads: {},
  sections: { own: Uint8Array.of(own) },
  numbers: numbersOf(own),
})

test('gives every model the temperature and the sureness that the next one found on another tenth, and leaves the rest its own', () => {
  const turned = surenessTurned([1, 2, 3].map(modelOf))
  expect(turned.map(calibrationOf)).toEqual([2, 3, 1].map(modelOf).map(calibrationOf))
  expect(turned.map(({ sections, numbers }) => [sections['own']![0], numbers['intents.lines']])).toEqual(
    [1, 2, 3].map((own) => [own, [own]]),
  )
})
