import { expect, test } from 'vitest'
import { GROUPS } from '../../src/classify/offline/sentiment/group.ts'
import { WEIGHED } from '../../src/classify/offline/sentiment/sentiment-parts.ts'
import { LANGUAGES } from '../../src/classify/offline/text/manner.ts'
import { leant } from './leanings.ts'

const BRANDS = 2
const learned = Float32Array.from({ length: (GROUPS.length + BRANDS) * WEIGHED.length }, (_, at) => at)
const added = (group: number) =>
  WEIGHED.map((_, at) => leant(learned)[group * WEIGHED.length + at]! - learned[group * WEIGHED.length + at]!)
const addedTo = (group: (typeof GROUPS)[number]) => added(GROUPS.indexOf(group))

test("leans known brands away from negative and notes on one's own day towards neutral, on top of what was learned", () => {
  const [positive, negative] = addedTo('brand')
  expect(positive).toBe(0)
  expect(negative).toBeLessThan(0)
  for (const value of addedTo('diary')) expect(value).toBeLessThan(0)
})

test('leans social networks towards negative, and their languages less', () => {
  const [positive, negative] = addedTo('social')
  expect(positive).toBe(0)
  for (const language of LANGUAGES) {
    expect(addedTo(language)[0]).toBe(0)
    expect(addedTo(language)[1]).toBeLessThan(0)
    expect(negative! + addedTo(language)[1]!).toBeGreaterThan(0)
  }
})

test('leaves developers, forums, news, conferences and single brands and platforms as they were learned', () => {
  const asLearned = ['developer', 'forum', 'news', 'conference', 'github', 'stackoverflow'] as const
  for (const group of asLearned) expect(addedTo(group)).toEqual([0, 0])
  for (let brand = 0; brand < BRANDS; brand += 1) expect(added(GROUPS.length + brand)).toEqual([0, 0])
})

test('leaves what was learned untouched', () => {
  const before = learned.slice()
  leant(learned)
  expect(learned).toEqual(before)
})
