import { expect, test } from 'vitest'
import { conditionsInWords } from './condition-words.ts'
import { exportHref, listHref, listQueryIn, requestOf, withCondition } from './people-query.ts'

test.each([
  '/people',
  '/people?platforms=reddit,x&notTags=friend&muted=false&minFollowers=100&sort=reach&offset=50',
  '/people?q=ada&intents=praise&since=2026-11-01&segmentId=seg_1',
])('%s stays as it is', (address) => {
  expect(listHref(listQueryIn(new URLSearchParams(address.split('?')[1])))).toBe(address)
})

test('a request has a page, and an export has none', () => {
  const query = listQueryIn(new URLSearchParams('q=ada&offset=50&sort=name'))
  expect(requestOf(query)).toEqual({ q: 'ada', sort: 'name', limit: 50, offset: 50 })
  expect(exportHref(query)).toBe('/v1/people/export.csv?q=ada&sort=name')
  expect(listQueryIn(new URLSearchParams('offset=-3&minNegative=many'))).toMatchObject({ offset: 0, filter: {} })
})

test('an empty value takes its condition away', () => {
  expect(withCondition({ q: 'a', tags: ['x'] }, 'tags', [])).toEqual({ q: 'a' })
  expect(withCondition({ q: 'a' }, 'q', '')).toEqual({})
  expect(withCondition({}, 'minMentions', 0)).toEqual({ minMentions: 0 })
  expect(withCondition({}, 'muted', false)).toEqual({ muted: false })
})

test('conditions in words', () => {
  expect(conditionsInWords({})).toBe('Everybody')
  expect(
    conditionsInWords({ platforms: ['reddit', 'x'], minFollowers: 1000, muted: false, intents: ['buy_intent'] }),
  ).toBe('has an account on Reddit or X · not muted · followers from 1,000 · wrote with intent buy intent')
})
