import fc from 'fast-check'
import { expect, test } from 'vitest'
import { groupBy } from './group.ts'

test('groups keep the order of first appearance, and every entry', () => {
  expect([...groupBy(['pear', 'apple', 'plum', 'avocado'], (word) => word[0])]).toEqual([
    ['p', ['pear', 'plum']],
    ['a', ['apple', 'avocado']],
  ])
  fc.assert(
    fc.property(fc.array(fc.nat(20)), (numbers) => {
      const groups = groupBy(numbers, (number) => number % 5)
      expect([...groups.values()].flat().sort()).toEqual([...numbers].sort())
      for (const [key, group] of groups) expect(group).toEqual(numbers.filter((number) => number % 5 === key))
    }),
  )
})

test('keys from outside are only keys', () => {
  expect([...groupBy(['__proto__', 'constructor'], (word) => word).keys()]).toEqual(['__proto__', 'constructor'])
})
