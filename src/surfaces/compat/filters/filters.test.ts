import { describe, expect, test } from 'vitest'
import { INTENTS } from '../../../domain/mention/classification.ts'
import { isRefusal } from '../../../domain/refusal/refusal.ts'
import type { Uuid } from '../../../kernel/ids.ts'
import { mentionFilterIn, treeOf } from './mention-filter.ts'
import { saidOf } from './said.ts'

const IDS = new Map(Array.from({ length: 60 }, (_, place) => [place + 1, `keyword ${place + 1}` as Uuid]))

function said(filter: object) {
  const answer = saidOf(() => treeOf(mentionFilterIn.parse(filter), IDS))
  return isRefusal(answer) ? answer.code : answer.filter
}

const groups = (operator: string, ...parts: [string, ...object[]][]) => ({
  operator,
  groups: parts.map(([inner, ...conditions]) => ({ operator: inner, conditions })),
})

describe('Filters to anyOf', () => {
  test('a single alternative goes into the base of the filter', () => {
    expect(said({ source: ['twitter'], sentiment: ['negative'] })).toEqual({
      platforms: ['x'],
      sentiments: ['negative'],
    })
    expect(said(groups('OR', ['AND', { tag: ['pricing'] }, { engaged: true }]))).toEqual({
      intents: ['pricing'],
      status: 'done',
    })
  })

  test('two lists of one field in one OR are one list', () => {
    expect(said(groups('AND', ['OR', { source: ['twitter'] }, { source: ['github'] }]))).toEqual({
      platforms: ['x', 'github'],
    })
    expect(said(groups('OR', ['AND', { '!source': ['twitter', 'dev'] }], ['AND', { '!source': ['dev'] }]))).toEqual({
      notPlatforms: ['devto'],
    })
    expect(said(groups('OR', ['AND', { '!source': ['twitter'] }], ['AND', { '!source': ['dev'] }]))).toEqual({})
  })

  test('one of two tags may be missing while the other is there', () => {
    expect(said(groups('AND', ['OR', { '!tag': ['question'] }, { '!tag': ['pricing'] }]))).toEqual({
      anyOf: [{ notIntents: ['question'] }, { notIntents: ['pricing'] }],
    })
    expect(said(groups('AND', ['OR', { '!tag': ['question'] }, { '!tag': ['pricing', 'question'] }]))).toEqual({
      notIntents: ['question'],
    })
  })

  test('two not-lists in one AND are united, and two lists are intersected', () => {
    expect(said(groups('AND', ['AND', { '!tag': ['pricing'] }, { '!tag': ['event'] }]))).toEqual({
      notIntents: ['pricing', 'event'],
    })
    expect(said(groups('AND', ['AND', { source: ['twitter', 'dev'] }, { source: ['dev', 'github'] }]))).toEqual({
      platforms: ['devto'],
    })
    expect(said(groups('AND', ['AND', { source: ['twitter'] }, { source: ['dev'] }]))).toEqual({ keywordIds: [] })
    expect(said({ source: ['twitter', 'dev'], '!source': ['dev'] })).toEqual({ platforms: ['x'] })
  })

  test('an AND of OR groups is multiplied out', () => {
    const filter = groups(
      'AND',
      ['OR', { source: ['twitter'] }, { tag: ['pricing'] }],
      ['OR', { sentiment: ['negative'] }, { engaged: true }],
    )
    expect(said(filter)).toEqual({
      anyOf: [
        { platforms: ['x'], sentiments: ['negative'] },
        { platforms: ['x'], status: 'done' },
        { intents: ['pricing'], sentiments: ['negative'] },
        { intents: ['pricing'], status: 'done' },
      ],
    })
  })

  test('more than ten alternatives, and two tags that must both be there, are refused', () => {
    const pairs = (count: number) =>
      groups(
        'OR',
        ...Array.from({ length: count }, (_, place): [string, ...object[]] => [
          'AND',
          { keyword: [place + 1] },
          { minXFollowers: place },
        ]),
      )
    expect(said(pairs(10))).toMatchObject({ anyOf: { length: 10 } })
    expect(said(pairs(11))).toBe('feature_disabled')
    expect(said(groups('AND', ['AND', { tag: ['pricing'] }, { tag: ['question'] }]))).toBe('feature_disabled')
    expect(said(groups('AND', ['AND', { tag: ['pricing', 'event'] }, { tag: ['event'] }]))).toEqual({
      intents: ['event'],
    })
  })

  test('a filter that grows without end is refused in time', () => {
    const wide = INTENTS.map((intent, place): [string, ...object[]] => [
      'OR',
      { '!keyword': [place + 1] },
      { '!tag': [intent] },
    ])
    const begun = process.cpuUsage()
    expect(said(groups('AND', ...wide))).toBe('feature_disabled')
    expect(process.cpuUsage(begun).user).toBeLessThan(5_000_000)
  })
})

test.each([
  ['many groups of many conditions', (place: number, inner: number) => ({ minXFollowers: 50 * place + inner })],
  [
    'many pairs',
    (place: number, inner: number) => ({
      engagement: { source: 'twitter', metric: 'likes', value: 50 * place + inner },
    }),
  ],
  [
    'many keywords',
    (place: number, inner: number) => ({
      '!source': ['reddit_comment', ['dev', 'twitter', 'github'][(place + inner) % 3]],
    }),
  ],
])('%s do not keep the process busy', (_, condition) => {
  for (const [top, inner] of [
    ['OR', 'OR'],
    ['OR', 'AND'],
    ['AND', 'OR'],
    ['AND', 'AND'],
  ] as const) {
    const wide = Array.from({ length: 50 }, (_place, place): [string, ...object[]] => [
      inner,
      ...Array.from({ length: 50 }, (_inner, at) => condition(place, at)),
    ])
    const begun = process.cpuUsage()
    said(groups(top, ...wide))
    expect(process.cpuUsage(begun).user).toBeLessThan(2_000_000)
  }
})

describe('the form of a filter', () => {
  test.each([
    [{ groups: [] }, 'groups'],
    [{ operator: 'AND' }, 'groups'],
    [{ groups: [{ operator: 'AND', conditions: [{ tag: ['a'] }] }] }, 'operator'],
    [{ ...groups('AND', ['AND', { tag: ['a'] }]), source: ['twitter'] }, 'source'],
    [groups('AND', ['AND', { tag: ['a'], source: ['dev'] }]), 'groups.0.conditions.0'],
    [groups('AND', ['AND', {}]), 'groups.0.conditions.0'],
    [groups('XOR', ['AND', { tag: ['a'] }]), 'operator'],
    [{ source: [] }, 'source'],
    [{ '!engaged': true }, ''],
    [{ sentiment: ['Positive'] }, 'sentiment.0'],
    [{ language: ['english'] }, 'language.0'],
  ])('%j is wrong in %s', (filter, path) => {
    const { success, error } = mentionFilterIn.safeParse(filter)
    expect([success, error?.issues[0]?.path.join('.')]).toEqual([false, path])
  })
})
