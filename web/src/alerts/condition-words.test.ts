import { expect, test } from 'vitest'
import { conditionsInWords } from './condition-words.ts'

const NAMES = new Map([['kw_1', 'Northlight']])

test.each<[string, Parameters<typeof conditionsInWords>[0]]>([
  ['Everything relevant', {}],
  ['platform reddit, x, or news · relevance from 70', { platforms: ['reddit', 'x', 'news'], minRelevance: 70 }],
  ['keyword Northlight · intent bug report', { keywordIds: ['kw_1'], intents: ['bug_report'] }],
  ['2 alternatives', { anyOf: [{}, {}] }],
])('%s', (text, filter) => {
  expect(conditionsInWords(filter, NAMES)).toBe(text)
})
