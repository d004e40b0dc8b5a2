import { describe, expect, test } from 'vitest'
import { newUuid } from '../../kernel/ids.ts'
import { PLATFORMS, REVIEW_PLATFORMS, SEARCH_PLATFORMS } from '../platform/platforms.ts'
import { capOf, keywordStatusOf, normaliseTerm, type ReviewSource, runsOn } from './keyword.ts'

describe('capOf', () => {
  test.each([
    [null, true, { mentions: 200, welcome: true, own: null }],
    [50, true, { mentions: 50, welcome: true, own: 50 }],
    [200, true, { mentions: 200, welcome: true, own: 200 }],
    [5000, true, { mentions: 200, welcome: true, own: 5000 }],
    [null, false, null],
    [1, false, { mentions: 1, welcome: false, own: 1 }],
    [5000, false, { mentions: 5000, welcome: false, own: 5000 }],
  ])('a choice of %s with welcome limits %s', (own, welcome, cap) => {
    expect(capOf(own, welcome)).toEqual(cap)
  })
})

describe('statusOf', () => {
  const flags = { muted: false, pausedForBalance: false, pausedForNoise: false, pausedForCap: false }
  test.each([
    ['active', {}],
    ['capped', { pausedForCap: true }],
    ['muted', { muted: true }],
    ['muted', { muted: true, pausedForCap: true }],
    ['paused', { muted: true, pausedForBalance: true }],
    ['paused', { muted: true, pausedForNoise: true, pausedForCap: true }],
  ])('%s when %j', (status, change) => {
    expect(keywordStatusOf({ ...flags, ...change })).toBe(status)
  })
})

describe('runsOn', () => {
  const page = (platform: ReviewSource['platform']): ReviewSource => ({
    platform,
    id: newUuid(new Date(0)),
    url: '',
    countries: [],
    language: null,
    connectedAt: new Date(0),
  })

  test('null platforms are all search platforms and no review platform', () => {
    expect(PLATFORMS.filter((platform) => runsOn({ platforms: null, reviewSources: [] }, platform))).toEqual([
      ...SEARCH_PLATFORMS,
    ])
  })

  test('named platforms and the pages of reviews are all that counts', () => {
    expect(
      PLATFORMS.filter((platform) =>
        runsOn({ platforms: ['x', 'github'], reviewSources: [page('trustpilot')] }, platform),
      ),
    ).toEqual(['github', 'x', 'trustpilot'])
  })

  test('an empty list means review pages only', () => {
    expect(
      PLATFORMS.filter((platform) => runsOn({ platforms: [], reviewSources: REVIEW_PLATFORMS.map(page) }, platform)),
    ).toEqual([...REVIEW_PLATFORMS])
  })
})

test.each([
  ['  Acme \n\t  Notes ', 'Acme Notes'],
  ['Cafe\u0301', 'Caf\u00e9'],
  ['a\u00a0b', 'a b'],
])('the term %j is kept as %j', (given, kept) => {
  expect(normaliseTerm(given)).toBe(kept)
})
