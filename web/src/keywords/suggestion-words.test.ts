import { expect, test } from 'vitest'
import type { Keyword } from '../api/keywords.ts'
import { effectWords, formerOf, lostHref, suggestionTitle } from './suggestion-words.ts'

const SAMPLE = { noiseRemoved: 1, noise: 1, relevantRemoved: 0, relevant: 1 }

const KEYWORD = {
  kind: 'brand',
  context: null,
  platforms: null,
  group: { id: 'grp_1', name: 'Products' },
  cap: { mentions: 200, welcome: true, own: 500 },
  matching: {
    requiredTerms: ['robot'],
    requiredMode: 'any',
    excludedTerms: ['moth'],
    excludedAuthors: [],
    caseSensitive: false,
  },
} as unknown as Keyword

test.each([
  ['excluded_terms', ['mongodb', 'moth'], 'Exclude “mongodb” or “moth”'],
  ['excluded_authors', ['@memes'], 'Mute @memes'],
  ['required_terms', ['robot', 'arm', 'Acme'], 'Require “robot”, “arm”, or “Acme”'],
  ['platforms', ['hackernews', 'x'], 'Leave out Hacker News and X'],
  ['context', ['Acme the robot maker.'], 'Set the context “Acme the robot maker.”'],
] as const)('a suggestion of %s says its values', (type, values, title) => {
  expect(suggestionTitle({ type, values: [...values] })).toBe(title)
})

test('an exact effect has figures, an estimated one says so', () => {
  const effect = { noiseRemoved: 214, relevantRemoved: 0, centsSaved: 171, sample: SAMPLE, exact: true }
  const textsOf = (parts: ReturnType<typeof effectWords>) => parts.map(({ text, tone }) => [text, tone])
  expect(textsOf(effectWords(effect, 30))).toEqual([
    ['214 fewer mentions', 'positive'],
    ['$1.71 less in 30 days', 'positive'],
    ['0 relevant lost', 'neutral'],
  ])
  expect(
    textsOf(effectWords({ ...effect, noiseRemoved: 396, relevantRemoved: 6, centsSaved: 0, exact: false }, 7)),
  ).toEqual([
    ['about 402 fewer mentions', 'positive'],
    ['about 6 relevant lost', 'negative'],
  ])
  expect(textsOf(effectWords(null, 30))).toEqual([['Changes only the scores of new mentions', 'neutral']])
})

test('what would be lost is looked for by the words and platforms of the suggestion', () => {
  const queryOf = (...suggestion: Parameters<typeof lostHref>) =>
    Object.fromEntries(new URL(lostHref(...suggestion), 'http://localhost').searchParams)
  const base = { keywordIds: 'kw_1', relevant: 'true' }
  expect(queryOf('kw_1', { type: 'excluded_terms', values: ['moth'] })).toEqual({ ...base, q: 'moth' })
  expect(queryOf('kw_1', { type: 'excluded_terms', values: ['moth', 'map'] })).toEqual({
    ...base,
    anyOf: '[{"q":"moth"},{"q":"map"}]',
  })
  expect(queryOf('kw_1', { type: 'platforms', values: ['x', 'news'] })).toEqual({ ...base, platforms: 'x,news' })
  expect(queryOf('kw_1', { type: 'required_terms', values: ['robot'] })).toEqual(base)
})

test('undo restores the values that a change replaced, and only those', () => {
  expect(formerOf(KEYWORD, { matching: { excludedTerms: ['moth', 'map'] } })).toEqual({
    matching: { excludedTerms: ['moth'] },
  })
  expect(formerOf(KEYWORD, { platforms: ['x'], context: 'new', groupId: 'grp_2' })).toEqual({
    platforms: null,
    context: null,
    groupId: 'grp_1',
  })
  expect(formerOf(KEYWORD, { cap: null })).toEqual({ cap: { mentions: 500 } })
  expect(formerOf(KEYWORD, { matching: null })).toEqual({ matching: KEYWORD.matching })
})
