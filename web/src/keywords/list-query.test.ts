import { expect, test } from 'vitest'
import { isFiltered, type ListQuery, listHref, listQueryIn, requestOf } from './list-query.ts'

const ALL: ListQuery = { q: '', status: [], groupId: null, sort: 'newest' }
const SOME: ListQuery = { q: 'at las&', status: ['muted', 'paused'], groupId: 'grp_1', sort: 'recent' }

test('an address says what the list shows, and reads back the same', () => {
  expect(listHref(ALL)).toBe('/keywords')
  expect(listHref(SOME)).toBe('/keywords?q=at+las%26&status=muted,paused&groupId=grp_1&sort=recent')
  for (const query of [ALL, SOME])
    expect(listQueryIn(new URL(listHref(query), 'http://localhost').searchParams)).toEqual(query)
})

test('unknown values of an address are left out', () => {
  expect(listQueryIn(new URLSearchParams('status=muted,broken&sort=cost'))).toEqual({ ...ALL, status: ['muted'] })
})

test('the request has only conditions, and a list without them is not filtered', () => {
  expect(requestOf({ ...ALL, q: '  ' })).toEqual({ sort: 'newest' })
  expect(requestOf(SOME)).toEqual({ sort: 'recent', q: 'at las&', status: ['muted', 'paused'], groupId: ['grp_1'] })
  expect([isFiltered({ ...ALL, q: ' ' }), isFiltered(SOME), isFiltered({ ...ALL, sort: 'term' })]).toEqual([
    false,
    true,
    false,
  ])
})
