import { expect, test } from 'vitest'
import { differencesOf } from './differences.ts'

test('only fields of my change that somebody else has otherwise are shown', () => {
  const labels = { name: 'Name', rivals: 'Competitors', site: 'Website' }
  const former = { name: 'Acme', rivals: ['a'], site: '' }
  const mine = { name: 'Acme Works', rivals: ['a', 'b'], site: '' }
  const theirs = { name: 'Acme Ltd', rivals: ['a', 'b'], site: 'https://acme.example' }
  expect(differencesOf(labels, { former, mine, theirs })).toEqual([
    { label: 'Name', mine: 'Acme Works', theirs: 'Acme Ltd' },
  ])
})
