import { expect, test } from 'vitest'
import { changeBetween } from './use-versioned.ts'

test('a change has the fields that differ, lists and objects as wholes', () => {
  const former = { name: 'Acme', competitors: ['a'], accounts: { x: null, linkedin: null } }
  expect(changeBetween(former, former)).toEqual({})
  expect(changeBetween(former, { ...former, name: 'Bcme', competitors: ['a', 'b'] })).toEqual({
    name: 'Bcme',
    competitors: ['a', 'b'],
  })
})
