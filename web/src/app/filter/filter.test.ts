import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readFilterLine } from './filter-line-text.ts'
import {
  FILTER_NAMES,
  FILTER_PARAMS,
  type Filter,
  type FilterParam,
  parseFilter,
  printFilter,
} from './filter-params.ts'
import { words as german } from './words.de.ts'
import { words as english } from './words.ts'

const word = fc.stringMatching(/^[a-z0-9_.-]{1,12}$/)
const VALUES = {
  words: fc.array(word, { minLength: 1, maxLength: 4 }),
  number: fc.integer({ min: 0, max: 1_000_000 }),
  numbers: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 }),
  flag: fc.boolean(),
  text: fc.string({ minLength: 1, maxLength: 40 }),
}

function valueFor(name: FilterParam): fc.Arbitrary<unknown> {
  return VALUES[FILTER_PARAMS[name]]
}

const filters = fc.record(Object.fromEntries(FILTER_NAMES.map((name) => [name, valueFor(name)])), { requiredKeys: [] })

test('an address holds every filter', () => {
  fc.assert(
    fc.property(filters, (filter) => {
      const address = printFilter(filter as Filter).toString()
      expect(parseFilter(new URLSearchParams(address))).toEqual(filter)
    }),
  )
})

test.each([
  ['q', 'open', 'open', 'open'],
  ['tags', ['bug_report'], 'bug_report', 'bug_report'],
  ['status', ['open'], 'open', 'offen'],
  ['notIntents', ['bug_report'], 'bug report', 'bug report'],
  ['keywordKinds', ['topic'], 'topic', 'Thema'],
  ['isReply', false, 'false', 'nein'],
  ['minLikes', 5, '5', '5'],
] as const)('the chip of %s %j translates words of the API only', (param, value, inEnglish, inGerman) => {
  expect(english.chipValue(param, value)).toBe(inEnglish)
  expect(german.chipValue(param, value)).toBe(inGerman)
})

test('what cannot be read is left out', () => {
  expect(parseFilter(new URLSearchParams('relevant=maybe&minLikes=many&ratings=1,x&platforms=,&other=1'))).toEqual({})
})

describe('the filter line', () => {
  test.each<[string, Filter]>([
    ['platform:reddit', { platforms: ['reddit'] }],
    ['platform:reddit,x platform:x', { platforms: ['reddit', 'x'] }],
    ['-intent:hiring', { notIntents: ['hiring'] }],
    ['followers:>1000', { minFollowers: 1000 }],
    ['followers:<1000', { maxFollowers: 1000 }],
    ['relevance:40..69', { minRelevance: 40, maxRelevance: 69 }],
    ['rating:1..2', { ratings: [1, 2] }],
    ['-rating:5', { notRatings: [5] }],
    ['is:delivered -is:automated', { delivered: true, automated: false }],
    ['tag:"big customer"', { tags: ['big customer'] }],
    ['slow export', { q: 'slow export' }],
    ['"exact words" platform:x', { q: '"exact words"', platforms: ['x'] }],
    ['https://example.com/a', { q: 'https://example.com/a' }],
    ['unknown:word', { q: 'unknown:word' }],
    ['is:nonsense', { q: 'is:nonsense' }],
    ['likes:<5', { q: 'likes:<5' }],
  ])('%s', (line, expected) => {
    expect(readFilterLine(line, {})).toEqual(expected)
  })

  test('adds to what is filtered already', () => {
    expect(readFilterLine('platform:x slow', { platforms: ['reddit'], q: 'export', status: ['open'] })).toEqual({
      platforms: ['reddit', 'x'],
      q: 'export slow',
      status: ['open'],
    })
  })
})
