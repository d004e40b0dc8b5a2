import { expect, test } from 'vitest'
import { withoutIds } from './without-ids.ts'

test('ids are taken out of every list that names keywords or groups, groups of alternatives included', () => {
  const filter = {
    keywordIds: ['a', 'b'],
    minRelevance: 50,
    anyOf: [{ keywordIds: ['a'] }, { groupIds: ['a', 'c'], languages: ['de'] }],
  }
  expect(withoutIds(filter, new Set(['a']))).toEqual({
    keywordIds: ['b'],
    minRelevance: 50,
    anyOf: [{ keywordIds: [] }, { groupIds: ['c'], languages: ['de'] }],
  })
})

test('an entry that only looks like an id is left where it is no id', () => {
  expect(withoutIds({ languages: ['de'], linkHosts: ['a.example'] }, new Set(['de', 'a.example']))).toEqual({
    languages: ['de'],
    linkHosts: ['a.example'],
  })
})
