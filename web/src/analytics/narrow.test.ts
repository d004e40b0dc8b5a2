import { describe, expect, test } from 'vitest'
import type { Filter } from '../app/filter/filter-params.ts'
import { INTENTS } from '../app/post/intent-list.ts'
import { type Narrowing, narrowed, OTHER } from './narrow.ts'
import type { Dimension } from './report-query.ts'

function narrowing(by: Dimension, filter: Filter = {}, more: Partial<Narrowing> = {}): Narrowing {
  return { by, filter, keys: [], isComplete: true, ...more }
}

describe('one value', () => {
  test.each<[Dimension, Filter, string, Filter | null]>([
    ['platform', {}, 'reddit', { platforms: ['reddit'] }],
    ['platform', { platforms: ['reddit', 'x'], q: 'leak' }, 'x', { platforms: ['x'], q: 'leak' }],
    ['keyword', { relevant: true }, 'kw_1', { keywordIds: ['kw_1'], relevant: true }],
    ['group', { notGroupIds: ['grp_2'] }, 'grp_1', { groupIds: ['grp_1'], notGroupIds: ['grp_2'] }],
    ['sentiment', {}, 'negative', { sentiments: ['negative'] }],
    ['intent', { intents: ['praise', 'question'] }, 'praise', { intents: ['praise'] }],
    ['intent', { intents: ['praise'] }, 'question', null],
    ['language', {}, 'de', { languages: ['de'] }],
    ['language', {}, 'zxx', null],
  ])('%s %j %s', (by, filter, key, expected) => {
    expect(narrowed(narrowing(by, filter), key)).toEqual(expected)
  })
})

describe('unknown values', () => {
  test('are those with none of all values, where there is such a list', () => {
    expect(narrowed(narrowing('sentiment'), null)).toEqual({ notSentiments: ['positive', 'neutral', 'negative'] })
    expect(narrowed(narrowing('intent', { notIntents: ['praise'] }), null)?.notIntents).toHaveLength(INTENTS.length)
  })

  test('are those without every known language, if all are known', () => {
    const keys = ['en', null, 'de']
    expect(narrowed(narrowing('language', {}, { keys }), null)).toEqual({ notLanguages: ['en', 'de'] })
    expect(narrowed(narrowing('language', {}, { keys, isComplete: false }), null)).toBeNull()
    expect(narrowed(narrowing('language', { languages: ['en'] }, { keys }), null)).toBeNull()
  })
})

describe('all others', () => {
  test('are those without the values that are shown', () => {
    const filter: Filter = { notPlatforms: ['x'] }
    expect(narrowed(narrowing('platform', filter, { keys: ['reddit', 'news'] }), OTHER)).toEqual({
      notPlatforms: ['x', 'reddit', 'news'],
    })
  })

  test('have no filter where mentions have several values, or unknown ones are shown', () => {
    expect(narrowed(narrowing('intent', {}, { keys: ['praise'] }), OTHER)).toBeNull()
    expect(narrowed(narrowing('language', {}, { keys: ['en', null] }), OTHER)).toBeNull()
  })

  test('have none where the API takes fewer entries', () => {
    const notLanguages = Array.from({ length: 15 }, (_, at) => `a${String.fromCharCode(97 + at)}`)
    const keys = ['en', 'de', 'fr', 'es', 'it', 'pt']
    expect(narrowed(narrowing('language', { notLanguages }, { keys }), OTHER)).toBeNull()
  })
})
