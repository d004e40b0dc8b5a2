import { expect, test } from 'vitest'
import type { Keyword } from '../api/keywords.ts'
import { changeBetween, rulesOf } from './rules-draft.ts'

const KEYWORD = {
  kind: 'brand',
  context: null,
  platforms: ['x', 'reddit'],
  group: { id: 'grp_1', name: 'Products' },
  cap: { mentions: 200, welcome: true, own: 500 },
  matching: {
    requiredTerms: [],
    requiredMode: 'any',
    excludedTerms: ['moth'],
    excludedAuthors: [],
    caseSensitive: false,
  },
} as unknown as Keyword
const DRAFT = rulesOf(KEYWORD)

test('a form that nobody changed changes nothing', () => {
  expect(changeBetween(DRAFT, rulesOf(KEYWORD))).toEqual({})
  expect(changeBetween(DRAFT, { ...DRAFT, context: '  ', cap: ' 500 ' })).toEqual({})
})

test('only what differs is sent, rule by rule', () => {
  const matching = { ...DRAFT.matching, excludedTerms: ['moth', 'map'] }
  expect(changeBetween(DRAFT, { ...DRAFT, matching, platforms: null, kind: 'topic' })).toEqual({
    kind: 'topic',
    platforms: null,
    matching: { excludedTerms: ['moth', 'map'] },
  })
})

test('an emptied field clears its value, and a limit that is no number is left to the service to refuse', () => {
  expect(changeBetween({ ...DRAFT, context: 'Acme' }, { ...DRAFT, context: '', cap: '' })).toEqual({
    context: null,
    cap: null,
  })
  expect(changeBetween(DRAFT, { ...DRAFT, cap: '12' })).toEqual({ cap: { mentions: 12 } })
  expect(changeBetween(DRAFT, { ...DRAFT, cap: 'many' })).toEqual({ cap: { mentions: 0 } })
})
